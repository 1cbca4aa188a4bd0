import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { type Json, sendRequest } from '../support/send-request.ts';
import { adminsIn, forAdmins } from './admin-users/admins.ts';

const gateway = gatewayForTests({ ...forAdmins, worker: true });
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const admins = adminsIn(gateway);

let token: string;
beforeAll(async () => {
  ({ token } = await admins.owner());
});

const readAs = (key: string) => (path: string) => sendRequest(gateway.current.url, 'get', path, { key });

/** Lists, the field that names a row, and how to make a row of that name. */
const lists: [string, string, string | null, (name: string) => Promise<unknown>][] = [
  ['/api/teams', 'team_id', 'teams', (teamId) => given.team({ teamId })],
  ['/api/organizations', 'organization_id', 'organizations', (id) => given.organization(id)],
  ['/api/model-groups', 'group_name', null, (name) => given.modelGroup(['sim-ok'], name)],
  ['/api/model-aliases', 'alias_name', null, (alias_name) => given.alias({ alias_name })],
  [
    '/api/model-access-groups',
    'group_name',
    null,
    (group_name) => given.admin('post', '/api/model-access-groups/create', { group_name }),
  ],
];

test.each(lists)(
  '%s finds rows by a part of their name, in any case, and pages them by cursor (spec 19.70)',
  async (path, field, rows, make) => {
    const part = unique('100%_Off');
    const names = [`A ${part}`, `B ${part.toUpperCase()}`, `C ${part}`];
    for (const name of [...names, `D ${part.replace('%_', 'xy')}`]) await make(name);
    const q = `q=${encodeURIComponent(part)}`;
    const read = async (query: string) => {
      const answer = await admin.get(`${path}?${query}`);
      const body: Json = expectOk(answer);
      const found = rows ? body[rows] : body;
      const next = rows ? body.next_cursor : answer.headers.get('x-next-cursor');
      return { names: found.map((row: Json) => row[field]), next };
    };

    const all = (await read(q)).names;
    expect([...all].sort()).toEqual(names);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await read(`${q}&limit=2&cursor=${cursor}`);
      seen.push(...page.names);
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(seen).toEqual(all);
  },
);

test('admin users are found by e-mail, name and role; without a limit all are listed', async () => {
  const users = [await admins.admin('user'), await admins.admin('admin'), await admins.admin('user')];
  const read = async (query: string) => {
    const answer = await readAs(token)(`/api/admin-users${query}`);
    return { emails: expectOk(answer).map(({ email }: Json) => email), headers: answer.headers };
  };

  const all = await read('');
  expect(all.emails).toEqual(expect.arrayContaining(users.map(({ email }) => email)));
  expect(all.headers.get('x-next-cursor')).toBeNull();
  expect((await read(`?q=${users[1]!.email.toUpperCase()}`)).emails).toEqual([users[1]!.email]);
  expect((await read('?role=user')).emails).not.toContain(users[1]!.email);
  const first = await read('?limit=1&count=exact');
  expect(first.headers.get('x-total-count')).toBe(String(all.emails.length));
  const second = await read(`?limit=1&cursor=${first.headers.get('x-next-cursor')}`);
  expect([...first.emails, ...second.emails]).toEqual(all.emails.slice(0, 2));
});

test('audit entries are found by what they are about, by text and by time, and paged by cursor (spec 19.70)', async () => {
  const team = await given.team();
  for (const path of ['suspend', 'resume', 'suspend']) await given.admin('post', `/api/teams/${team.teamId}/${path}`);
  const read = async (query: string) => {
    const answer = await readAs(token)(`/api/admin-users/audit-logs?${query}`);
    return { actions: expectOk(answer).map(({ action }: Json) => action), headers: answer.headers };
  };
  const about = `resource_type=team&resource_id=${team.teamId}`;
  const today = new Date().toISOString().slice(0, 10);

  const all = await read(about);
  expect(all.actions).toEqual(['suspended_team', 'resumed_team', 'suspended_team', 'created_team']);
  expect(all.headers.get('x-total-count')).toBeNull();
  expect((await read(`${about}&q=RESUMED`)).actions).toEqual(['resumed_team']);
  expect((await read(`q=${team.teamId.slice(2)}&count=exact`)).headers.get('x-total-count')).toBe('4');
  expect((await read(`${about}&from=${today}`)).actions).toHaveLength(4);
  expect((await read(`${about}&to=2020-01-01`)).actions).toEqual([]);
  const first = await read(`${about}&limit=3`);
  expect((await read(`${about}&limit=3&cursor=${first.headers.get('x-next-cursor')}`)).actions).toEqual([
    'created_team',
  ]);
});

test('organizations have the figures of a month, equal to their usage, where a period is given and not otherwise (spec 19.71)', async () => {
  const [team, idle] = [await given.team({ models: ['sim-ok'] }), await given.team()];
  await given.team({ organizationId: team.organizationId });
  expectOk(await as(gateway, team).single());
  await given.job(team);
  const period = new Date().toISOString().slice(0, 7);
  const rowOf = async (organizationId: string, query: string) =>
    expectOk(await admin.get(`/api/organizations?organization_id=${organizationId}${query}`)).organizations[0];
  const usageOf = async (organizationId: string) =>
    expectOk(await admin.get(`/api/organizations/${organizationId}/usage?period=${period}`)).summary;

  const row = await rowOf(team.organizationId, `&usage_period=${period}`);

  expect(row).toMatchObject({ team_count: 2, usage: { total_jobs: 2, completed_jobs: 1, credits_used: 1 } });
  expect(row.usage).toEqual(await usageOf(team.organizationId));
  expect(await rowOf(idle.organizationId, `&usage_period=${period}`)).toMatchObject({
    team_count: 1,
    usage: { total_jobs: 0 },
  });
  expect(Object.keys(await rowOf(team.organizationId, ''))).not.toContain('usage');
  expect((await rowOf(team.organizationId, '&usage_period=2020-01')).usage).toMatchObject({
    total_jobs: 0,
    total_cost_usd: 0,
  });
});
