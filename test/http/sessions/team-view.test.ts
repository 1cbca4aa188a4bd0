import { routes } from '../../../src/http/routes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { type Browser, browserIn } from './browser.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const notOpen = { status: 403, body: { code: 'team_view_not_open' } };

async function signedIn(role = 'admin'): Promise<Browser & { userId: string }> {
  const { email, user_id } = await admins.created({ role });
  return { ...(await browser.signedIn({ email, password: goodPassword })), userId: user_id };
}

const open = ({ send }: Browser, { teamId }: GivenTeam): Promise<Answer> => send('post', `/api/teams/${teamId}/view`);
const header = ({ teamId }: GivenTeam) => ({ 'x-view-as-team': encodeURIComponent(teamId) });

interface View {
  team: GivenTeam;
  admin: Browser & { userId: string };
  send: (method: string, path: string, body?: unknown) => Promise<Answer>;
  get: (path: string) => Promise<Answer>;
}

async function viewed(team?: GivenTeam): Promise<View> {
  const [seen, admin] = [team ?? (await given.team({ credits: 9 })), await signedIn()];
  expectOk(await open(admin, seen));
  const send = (method: string, path: string, body?: unknown) =>
    admin.send(method, path, { headers: header(seen), body });
  return { team: seen, admin, send, get: (path) => send('get', path) };
}

test("a view reads exactly what a session of the team reads, and the admin's other requests are as before (spec 19.17)", async () => {
  const { team, admin, get } = await viewed();
  const other = await given.team();
  const job = expectOk(await as(gateway, team).single()).job_id;
  await as(gateway, other).single();
  const ofTeam = await browser.signedIn({ virtual_key: team.key });
  const paths = [
    '/api/jobs',
    `/api/jobs/${job}`,
    `/api/jobs/${job}/costs`,
    `/api/jobs/${job}/timeline`,
    `/api/jobs/${job}/calls`,
    '/api/transactions',
    `/api/teams/${team.teamId}`,
    '/api/webhooks',
    '/api/jobs?format=csv',
    `/api/search?q=${job}`,
  ];

  for (const path of paths) {
    const [seen, own] = [await get(path), await ofTeam.get(path)];
    expect([path, seen.status, seen.text]).toEqual([path, 200, own.text]);
  }

  const session = expectOk(await get('/api/session'));
  expect(session).toMatchObject({
    kind: 'team',
    team: { team_id: team.teamId },
    user: null,
    role: null,
    viewer: { user_id: admin.userId },
    permissions: ['jobs:read', 'ledger:read', 'usage:read', 'webhooks:read'],
  });
  expect(Date.parse(session.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
  expect(expectOk(await admin.get('/api/session'))).toMatchObject({ kind: 'admin', viewer: null });
  expect(expectOk(await admin.get('/api/jobs')).jobs.length).toBeGreaterThan(1);
});

const unsafe = routes
  .map(({ spec }) => spec)
  .filter(({ method, access }) => method !== 'get' && access.audience.length > 0);

test.each(unsafe.map(({ method, path }) => [method, path] as const))(
  'a view cannot %s %s (spec 19.18)',
  async (method, path) => {
    const { team, send } = await viewed(await readOnlyTeam());
    const concrete = path.replaceAll(/\{\+?(\w+)\}/g, () => team.teamId);

    const answer = await send(method, concrete, {});

    expect([answer.status, answer.text]).toEqual([403, expect.stringMatching(/is read-only|team_view_read_only/)]);
  },
);

let shared: Promise<GivenTeam> | undefined;
const readOnlyTeam = (): Promise<GivenTeam> => {
  shared ??= given.team();
  return shared;
};

test('a view cannot read what the team may not, nor what an admin may not, nor follow events (spec 19.18)', async () => {
  const { get, team } = await viewed();
  const other = await given.team();

  for (const path of ['/api/teams', '/api/organizations', '/api/admin-users', '/api/admin-users/me', '/metrics'])
    expect([path, await get(path)]).toMatchObject([path, { status: 403, body: { code: 'role_insufficient' } }]);
  expect(await get(`/api/teams/${other.teamId}`)).toMatchObject({ status: 403 });
  expect((await get('/v1/models')).status).toBe(403);
  expect((await get('/v1/responses/resp_x')).status).toBe(403);
  expect(await get('/api/events')).toMatchObject({ status: 403 });
  expect(expectOk(await get(`/api/teams/${team.teamId}`)).credits.virtual_key).toMatch(/^sk-\*{4}….{4}$/);
});

test("an admin's reading of texts in a view is audited as theirs (spec 19.18, spec 19.29)", async () => {
  const { team, admin, get } = await viewed();
  const job_id = await given.job(team);
  const { call_id } = expectOk(await as(gateway, team).call(job_id));

  expectOk(await get(`/api/jobs/${job_id}/calls/${call_id}?include=request,response`));

  const entries = await readAudit(gateway.current, job_id);
  const entry = entries.find(({ action }) => action === 'read_call_payload');
  expect(entry).toMatchObject({ user_id: admin.userId, details: { call_id, team_id: team.teamId } });
});

test('opening and leaving a view are audited with the admin (spec 19.17)', async () => {
  const { team, admin } = await viewed();
  expectOk(await admin.send('delete', `/api/teams/${team.teamId}/view`));

  const entries = await readAudit(gateway.current, team.teamId);
  for (const action of ['opened_team_view', 'ended_team_view'])
    expect(entries.filter((entry) => entry.action === action)).toMatchObject([{ user_id: admin.userId }]);
});

test.each<[string, (view: View) => Promise<unknown>, object]>([
  ['is left', ({ admin, team }) => admin.send('delete', `/api/teams/${team.teamId}/view`), notOpen],
  [
    'has lasted an hour',
    ({ team }) => sql('update team_views set expires_at = now() where team_id = $1', [team.teamId]),
    notOpen,
  ],
  ['is of a suspended team', ({ team }) => given.admin('post', `/api/teams/${team.teamId}/suspend`), notOpen],
  [
    'is of a suspended organization',
    ({ team }) => given.admin('put', `/api/organizations/${team.organizationId}`, { status: 'suspended' }),
    notOpen,
  ],
  ['is of an admin who has signed out', ({ admin }) => admin.send('delete', '/api/session'), { status: 401 }],
  ['is of an admin who is deactivated', ({ admin }) => change(admin, { is_active: false }), { status: 401 }],
  ['is of an admin who is demoted', ({ admin }) => change(admin, { role: 'user' }), notOpen],
  ['is of an admin who has left', ({ admin }) => admin.send('delete', '/api/admin-users/me'), { status: 401 }],
])('a view that %s has ended (spec 19.19)', async (_what, end, refusal) => {
  const view = await viewed();
  expectOk(await view.get('/api/jobs'));

  await end(view);

  expect(await view.get('/api/jobs')).toMatchObject(refusal);
});

const change = async ({ userId }: { userId: string }, body: object) =>
  expectOk(await admins.send('put', `/${userId}`, { token: (await admins.owner()).token, body }));

test('a view is that of the session that has opened it, and of no other credential (spec 19.17)', async () => {
  const { team, admin, get } = await viewed();
  const headers = header(team);
  const of = (key: string) => sendRequest(gateway.current.url, 'get', '/api/jobs', { key, headers });
  const ofTeam = await browser.signedIn({ virtual_key: team.key });
  const user = await signedIn('user');

  expectOk(await get('/api/jobs'));
  expect(await (await signedIn()).send('get', '/api/jobs', { headers })).toMatchObject(notOpen);
  expect(await user.send('get', '/api/session', { headers })).toMatchObject(notOpen);
  expect((await open(user, team)).status).toBe(403);
  expect(await ofTeam.send('get', '/api/jobs', { headers })).toMatchObject(notOpen);
  expect(await of(team.key)).toMatchObject(notOpen);
  expect(await of(gateway.current.masterKey)).toMatchObject(notOpen);
  expect(await admin.send('get', '/api/jobs', { headers: { 'x-view-as-team': '%' } })).toMatchObject(notOpen);
});

test('a team that does not exist or is suspended cannot be viewed (spec 19.17)', async () => {
  const [team, admin] = [await given.team(), await signedIn()];
  await given.admin('post', `/api/teams/${team.teamId}/suspend`);

  expect(await admin.send('post', '/api/teams/nowhere/view')).toMatchObject({ body: { code: 'team_not_found' } });
  expect(await open(admin, team)).toMatchObject({ status: 403, body: { code: 'team_suspended' } });
});

test("a view takes nothing of the team's limits (spec 19.18)", async () => {
  const { team, get } = await viewed();

  for (let read = 0; read < 3; read += 1) expectOk(await get(`/api/teams/${team.teamId}`));

  const own = await as(gateway, team).get(`/api/teams/${team.teamId}`);
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': left } = Object.fromEntries(own.headers);
  expect(Number(left)).toBe(Number(limit) - 1);
});
