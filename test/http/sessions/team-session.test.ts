import { routes } from '../../../src/http/routes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { type Browser, browserIn } from './browser.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
const browser = browserIn(gateway);

let team: GivenTeam;
let session: Browser;
beforeAll(async () => {
  team = await given.team({ credits: 5 });
  session = await browser.signedIn({ virtual_key: team.key });
});

const specs = routes.map(({ spec }) => spec);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test("what a team's session may change is a fixed list", () => {
  expect(specs.filter(({ access }) => access.openToTeamSessions).map(nameOf)).toEqual([
    'post /api/jobs/cancel',
    'post /api/jobs/{job_id}/cancel',
    'post /api/jobs/{job_id}/calls/{call_id}/stop',
    'delete /api/session',
    'post /api/webhooks/register',
    'patch /api/webhooks/{webhook_id}',
    'delete /api/webhooks/{webhook_id}',
    'post /api/webhooks/{webhook_id}/test',
    'post /api/webhooks/deliveries/{delivery_id}/redeliver',
    'post /api/deliveries/redeliver',
  ]);
});

const closed = specs.filter(
  ({ access, method }) => access.audience.length > 0 && method !== 'get' && !access.openToTeamSessions,
);

test.each(closed.map((spec) => [nameOf(spec), spec] as const))(
  "a team's session cannot use %s, whatever the request names (spec 19.4)",
  async (_name, { method, path }) => {
    const job = path.includes('{job_id}') ? await given.job(team) : '';
    const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'job_id' ? job : team.teamId));
    const body = {
      team_id: team.teamId,
      model_group: team.modelGroup,
      model: team.modelGroup,
      job_type: 'test',
      messages: [{ role: 'user', content: 'Hello' }],
    };

    const answer = await session.send(method, concrete, { body });

    expect([answer.status, path.startsWith('/v1') ? answer.body.error.type : answer.body.detail]).toEqual([
      403,
      path.startsWith('/v1')
        ? 'permission_error'
        : expect.stringMatching(/needs the team's virtual key|Insufficient permissions/),
    ]);
  },
);

test("a team's session leaves no job, call or charge when it tries to make one (spec 19.4)", async () => {
  const own = await given.team({ credits: 5 });
  const other = await browser.signedIn({ virtual_key: own.key });
  const chat = { model: own.modelGroup, messages: [{ role: 'user', content: 'Hello' }] };

  await other.send('post', '/v1/chat/completions', { body: chat });
  await other.send('post', '/api/jobs/create', { body: { team_id: own.teamId, job_type: 'test' } });

  expect(expectOk(await as(gateway, own).get('/api/jobs')).total).toBe(0);
  expect(gateway.current.simulator.requests.filter(({ path }) => path.endsWith('/completions'))).toEqual([]);
});

test("a team's session reads its jobs and models, cancels a job, and manages webhooks (spec 19.4)", async () => {
  const job = await given.job(team);
  const registration = { team_id: team.teamId, webhook_url: gateway.current.simulator.url, events: ['job.failed'] };

  expect(expectOk(await session.get(`/api/jobs/${job}`)).job_id).toBe(job);
  expect((await session.get('/v1/models')).status).toBe(200);
  expect(expectOk(await session.send('post', `/api/jobs/${job}/cancel`)).status).toBe('cancelled');
  const { webhook_id } = expectOk(await session.send('post', '/api/webhooks/register', { body: registration }));
  expectOk(await session.send('patch', `/api/webhooks/${webhook_id}`, { body: { events: ['job.completed'] } }));
  expectOk(await session.send('delete', `/api/webhooks/${webhook_id}`));
});

test("a team's session sees nothing of another team, and no endpoint of admins (spec 19.4)", async () => {
  const other = await given.team();
  const job = await given.job(other);

  expect((await session.get(`/api/jobs/${job}`)).status).toBe(403);
  expect((await session.get(`/api/teams/${other.teamId}`)).status).toBe(403);
  for (const path of ['/api/teams', '/api/organizations', '/api/admin-users', '/api/admin-users/me', '/metrics']) {
    const answer = await session.get(path);
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});
