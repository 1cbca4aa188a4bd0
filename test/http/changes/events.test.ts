import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { type Browser, browserIn } from '../sessions/browser.ts';
import { type EventReader, readEvents } from './event-reader.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const opened: EventReader[] = [];
async function open(headers: Record<string, string>, query?: string): Promise<EventReader> {
  const reader = await readEvents(gateway.current.url, headers, query);
  opened.push(reader);
  if (reader.response.status === 200) await reader.event('ready');
  return reader;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((reader) => reader.leave()));
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const platform = () => bearer(gateway.current.masterKey);
const ofTeam = ({ key }: GivenTeam, query?: string) => open(bearer(key), query);
const statuses = (reader: EventReader, kind: string, id: string): string[] =>
  reader
    .all(kind)
    .filter((item) => [item.job_id, item.call_id].includes(id))
    .map(({ status }) => status);

test('a stream of events begins with ready, and has the headers that prevent buffering by a proxy (spec 19.13)', async () => {
  const reader = await open(platform());

  const { data, id } = await reader.event('ready');
  expect(data).toEqual({ complete: true, version: expect.stringMatching(/^\d/) });
  expect(id).toBeTruthy();
  expect(reader.response.headers.get('content-type')).toBe('text/event-stream');
  expect(reader.response.headers.get('x-accel-buffering')).toBe('no');
});

test('a stream sends the changes of a job, its calls and its charge, from its creation to its end (spec 19.12, spec 19.13)', async () => {
  const team = await given.team({ credits: 5 });
  const [admin, own] = [await open(platform()), await ofTeam(team)];

  const job = await given.job(team);
  const answer = await as(gateway, team).call(job);
  const callId = answer.headers.get('x-call-id')!;
  await as(gateway, team).complete(job);

  for (const reader of [admin, own]) {
    await reader.seen('jobs', ({ job_id, status }) => job_id === job && status === 'completed');
    await reader.seen('calls', ({ call_id, status }) => call_id === callId && status === 'succeeded');
    await reader.seen('teams', ({ team_id }) => team_id === team.teamId);
    expect(reader.all('calls').find(({ call_id }) => call_id === callId)).toMatchObject({
      job_id: job,
      team_id: team.teamId,
    });
    // Nothing after the end, whatever order the processes have published in.
    expect(statuses(reader, 'jobs', job).at(-1)).toBe('completed');
    expect(statuses(reader, 'calls', callId).at(-1)).toBe('succeeded');
  }
});

test.each<[string, (team: GivenTeam) => Promise<{ job: string; end: string; call?: string }>]>([
  [
    'a job that is cancelled',
    async (team) => {
      const job = await given.job(team);
      await as(gateway, team).post(`/api/jobs/${job}/cancel`);
      return { job, end: 'cancelled' };
    },
  ],
  [
    'a single-call job',
    async (team) => {
      const { headers } = await as(gateway, team).single();
      return { job: headers.get('x-job-id')!, end: 'completed', call: 'succeeded' };
    },
  ],
  [
    'a job whose call has failed',
    async (team) => {
      const failing = await given.modelGroup(['sim-fail']);
      await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [failing] });
      const { headers } = await as(gateway, team).single({ model: failing, model_group: failing });
      return { job: headers.get('x-job-id')!, end: 'failed', call: 'failed' };
    },
  ],
])('a stream sends the end of %s', async (_what, run) => {
  const team = await given.team({ credits: 5 });
  const reader = await ofTeam(team);

  const { job, end, call } = await run(team);

  await reader.seen('jobs', ({ job_id, status }) => job_id === job && status === end);
  if (call) await reader.seen('calls', ({ job_id, status }) => job_id === job && status === call);
});

test('the stream of a team has no change of another team, and the stream of an admin has all (spec 19.12)', async () => {
  const [team, other] = [await given.team({ credits: 5 }), await given.team({ credits: 5 })];
  const [admin, own] = [await open(platform()), await ofTeam(team)];

  await as(gateway, other).single();
  await given.admin('post', `/api/teams/${other.teamId}/credits/allocate`, { credits_amount: 3 });
  await admin.seen('jobs', ({ team_id, status }) => team_id === other.teamId && status === 'completed');
  await admin.seen('teams', ({ team_id }) => team_id === other.teamId);
  await as(gateway, team).single();
  await own.seen('jobs', ({ status }) => status === 'completed');

  expect(JSON.stringify(own.events)).not.toContain(other.teamId);
});

test('a stream sends the changes of its topics only (spec 19.12)', async () => {
  const team = await given.team({ credits: 5 });
  const reader = await ofTeam(team, '?topics=teams');

  await as(gateway, team).single();
  await reader.seen('teams', ({ team_id }) => team_id === team.teamId);

  expect(reader.all('jobs')).toEqual([]);
  expect(reader.all('calls')).toEqual([]);
});

test.each(['?topics=', '?topics=jobs,money', '?topics=jobs&topics=money'])(
  'a stream with %s is a 422',
  async (query) => {
    expect((await open(platform(), query)).response.status).toBe(422);
  },
);

/** Each change of a team that the console shows. */
const teamChanges: [string, (team: GivenTeam) => Promise<unknown>][] = [
  ['suspend', ({ teamId }) => given.admin('post', `/api/teams/${teamId}/suspend`)],
  ['resume', ({ teamId }) => given.admin('post', `/api/teams/${teamId}/resume`)],
  ['rotate-key', ({ teamId }) => given.admin('post', `/api/teams/${teamId}/rotate-key`, { grace_seconds: 60 })],
  ['change', ({ teamId }) => given.admin('put', `/api/teams/${teamId}`, { rpm_limit: 9 })],
  [
    'model-groups',
    ({ teamId, modelGroup }) => given.admin('put', `/api/teams/${teamId}/model-groups`, { model_groups: [modelGroup] }),
  ],
  ['allocate', ({ teamId }) => given.admin('post', `/api/teams/${teamId}/credits/allocate`, { credits_amount: 1 })],
  [
    'adjust',
    ({ teamId }) =>
      given.admin('post', `/api/teams/${teamId}/credits/adjust`, { credits_amount: -1, reason: 'a test' }),
  ],
  [
    'conversion-rates',
    ({ teamId }) => given.admin('patch', `/api/credits/teams/${teamId}/conversion-rates`, { tokens_per_credit: 7 }),
  ],
];

test.each(teamChanges)('a stream sends the change of a team after %s', async (_name, change) => {
  const team = await given.team({ credits: 5 });
  const reader = await open(platform(), '?topics=teams');
  // The creation of the team may still come.
  await given.admin('post', `/api/teams/${(await given.team()).teamId}/suspend`);
  const before = await until(
    () => reader.all('teams').length,
    (count) => count > 0,
  );

  await change(team);

  await until(() =>
    reader
      .all('teams')
      .slice(before)
      .some(({ team_id }) => team_id === team.teamId),
  );
});

test('a stream sends the change of a team after a refund and after its creation', async () => {
  const reader = await open(platform(), '?topics=teams');
  const team = await given.team({ credits: 5 });
  await reader.seen('teams', ({ team_id }) => team_id === team.teamId);
  const { headers } = await as(gateway, team).single();
  const job_id = headers.get('x-job-id')!;
  const count = () => reader.all('teams').filter(({ team_id }) => team_id === team.teamId).length;
  await until(() => count() > 1);
  const before = count();

  await given.admin('post', `/api/teams/${team.teamId}/credits/refund`, { job_id, reason: 'a test' });

  await until(() => count() > before);
});

test('a stream sends the changes of a webhook that is registered, changed, tried and deleted (spec 19.13)', async () => {
  const team = await given.team();
  const reader = await ofTeam(team, '?topics=webhooks');
  const { post, send } = { post: as(gateway, team).post, send: asTeam(team) };
  const count = (id: string) => reader.all('webhooks').filter(({ webhook_id }) => webhook_id === id).length;
  const registration = { team_id: team.teamId, webhook_url: gateway.current.simulator.url, events: ['job.failed'] };

  const { webhook_id: id } = expectOk(await post('/api/webhooks/register', registration));
  await until(() => count(id) === 1);
  expectOk(await send('patch', `/api/webhooks/${id}`, { events: ['job.completed'] }));
  await until(() => count(id) === 2);
  expectOk(await post(`/api/webhooks/${id}/test`));
  // The delivery and its attempt: together, or one after the other.
  await until(() => count(id) >= 3);
  const before = count(id);
  await until(async () => (await deliveryOf(team, id)).attempts > 0);
  expectOk(await send('delete', `/api/webhooks/${id}`));

  await until(() => count(id) > before);
  expect(reader.all('webhooks').every(({ team_id }) => team_id === team.teamId)).toBe(true);
});

const asTeam = (team: GivenTeam) => (method: string, path: string, body?: unknown) =>
  sendRequest(gateway.current.url, method, path, { key: team.key, body });

const deliveryOf = async (team: GivenTeam, id: string) =>
  expectOk(await as(gateway, team).get(`/api/webhooks/${id}/deliveries`)).deliveries[0];

test('a client that reconnects with Last-Event-ID receives the events that it has missed (spec 19.14)', async () => {
  const team = await given.team({ credits: 5 });
  const first = await ofTeam(team);
  const { id } = await first.event('ready');
  await first.leave();
  const answer = await as(gateway, team).single();
  const job = answer.headers.get('x-job-id')!;

  const second = await open({ ...bearer(team.key), 'last-event-id': id! });

  expect((await second.event('ready')).data.complete).toBe(true);
  await second.seen('jobs', ({ job_id, status }) => job_id === job && status === 'completed');
  expect(second.events.some(({ name }) => name === 'resync')).toBe(false);
});

test.each(['', 'garbage', 'AAAAAAAA.1', '1', `${'9'.repeat(400)}`])(
  'a client that reconnects with the unknown Last-Event-ID "%s" receives resync, or nothing for an empty one (spec 19.14)',
  async (id) => {
    const reader = await open({ ...platform(), 'last-event-id': id });

    expect((await reader.event('ready')).data.complete).toBe(id === '');
    if (id !== '') expect((await reader.event('resync')).data).toEqual({});
  },
);

const endings: [string, (session: Browser, team: GivenTeam) => Promise<unknown>][] = [
  ['its session is signed out', ({ send }) => send('delete', '/api/session')],
  ['its key is rotated', (_, { teamId }) => given.admin('post', `/api/teams/${teamId}/rotate-key`, {})],
  ['its team is suspended', (_, { teamId }) => given.admin('post', `/api/teams/${teamId}/suspend`)],
];

test.each(endings)('a stream by cookie ends with the event ended after %s (spec 19.15)', async (_what, end) => {
  const team = await given.team();
  const session = await browser.signedIn({ virtual_key: team.key });
  const reader = await open({ cookie: session.cookie });

  await end(session, team);
  await reader.ended;

  expect(reader.events.at(-1)).toMatchObject({ name: 'ended', data: {} });
});

test('a stream with a key ends when the key does, and streams of others go on (spec 19.15)', async () => {
  const [team, other] = [await given.team(), await given.team({ credits: 5 })];
  const [reader, theirs] = [await ofTeam(team), await ofTeam(other)];

  await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, {});
  await reader.ended;

  expect(reader.events.at(-1)?.name).toBe('ended');
  await as(gateway, other).single();
  await theirs.seen('jobs', ({ status }) => status === 'completed');
});

test('a stream of an admin ends when the role is taken away', async () => {
  const { email, user_id } = await admins.created({ role: 'admin' });
  const { cookie } = await browser.signedIn({ email, password: goodPassword });
  const [byCookie, byToken] = [await open({ cookie }), await open(bearer(await admins.token(email)))];

  const { token } = await admins.owner();
  expectOk(await admins.send('put', `/${user_id}`, { token, body: { role: 'user' } }));
  await Promise.all([byCookie.ended, byToken.ended]);

  expect([byCookie, byToken].map(({ events }) => events.at(-1)?.name)).toEqual(['ended', 'ended']);
});

test('a team has at most twenty streams at once with its key and its sessions by cookie together (spec 19.16)', async () => {
  const team = await given.team();
  const { cookie } = await browser.signedIn({ virtual_key: team.key });
  const streams = await Promise.all(Array.from({ length: 20 }, () => ofTeam(team)));

  const excess = await ofTeam(team);
  const session = await open({ cookie });

  expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
  expect(excess.response.status).toBe(429);
  expect(session.response.status).toBe(429);
  await streams[0]!.leave();
  await until(async () => (await ofTeam(team)).response.status === 200);
});
