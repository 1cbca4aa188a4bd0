import { asAdmin } from '../support/as-admin.ts';
import { cloneDatabase } from '../support/database.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, singleCallBody, unique } from '../support/given.ts';
import { sendHead } from '../support/send-head.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';

async function gatewayBehindProxy({ worker = true } = {}) {
  const closing = new AsyncDisposableStack();
  const database = await cloneDatabase();
  closing.defer(() => database.drop());
  const proxy = await startFreezingProxy(new URL(database.url));
  closing.defer(() => proxy.close());
  const current = await startGateway({ settings: { DATABASE_URL: proxy.url }, worker });
  closing.defer(() => current.close());
  return { proxy, current, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

type FrozenGateway = Awaited<ReturnType<typeof gatewayBehindProxy>>;
type Admin = ReturnType<typeof asAdmin>;

const timed = async <T>(request: () => Promise<T>) => {
  const begin = performance.now();
  const answer = await request();
  return { answer, ms: performance.now() - begin };
};

test('a call while PostgreSQL is frozen is answered 503 after one timeout, like a read (spec 1.8)', async () => {
  await using gateway = await gatewayBehindProxy();
  const team = await givenIn(gateway).team();
  const job = await givenIn(gateway).job(team);
  expectOk(await as(gateway, team).call(job));

  gateway.proxy.freeze();
  const [read, ...calls] = await Promise.all([
    timed(() => as(gateway, team).get(`/api/jobs/${job}`)),
    timed(() => as(gateway, team).call(job)),
    timed(() => as(gateway, team).stream(job)),
    timed(() => as(gateway, team).single()),
  ]);

  expect([read, ...calls].map(({ answer }) => answer.status)).toEqual([503, 503, 503, 503]);
  expect(calls.filter(({ ms }) => ms > 1.5 * read.ms)).toEqual([]);
});

test('calls whose statements PostgreSQL executes only after they were answered 503 are retracted (spec 1.8)', async () => {
  await using gateway = await gatewayBehindProxy();
  const team = await givenIn(gateway).team({ credits: 5 });
  const job = await givenIn(gateway).job(team);
  expectOk(await as(gateway, team).call(job));
  await openConnections(gateway.current);
  const inserted = await until(
    () => insertedCalls(gateway.current),
    (calls) => calls > 0,
  );

  const { url } = gateway.current;
  const { key, modelGroup } = team;
  const call = { model_group: modelGroup, messages: [{ role: 'user', content: 'Hello' }] };
  const single = singleCallBody(team);
  const authenticated = await Promise.all([
    sendHead(`${url}/api/jobs/${job}/llm-call`, { key, body: call }),
    sendHead(`${url}/api/jobs/create-and-call`, { key, body: single }),
    sendHead(`${url}/api/jobs/create-and-call-stream`, { key, body: single }),
  ]);
  gateway.proxy.freeze();
  const answers = await Promise.all(authenticated.map(({ sendBody }) => sendBody()));
  gateway.proxy.thaw();

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  await until(async () => (await insertedCalls(gateway.current)) === inserted + 3);
  await until(async () => (await allCalls(gateway.current)).length === 1);
  await until(async () => expectOk(await as(gateway, team).get('/api/jobs')).total === 1);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 1, credits_remaining: 4 });
});

/** Opens all connections of the pool: without a free one, a statement is not sent to a frozen server. */
const openConnections = ({ deps: { database }, config }: Gateway) =>
  Promise.all(Array.from({ length: config.DATABASE_POOL_SIZE }, () => database.pool.query('select pg_sleep(0.5)')));

/** How many calls were ever inserted, also those that are deleted by now. PostgreSQL counts them within a second of the statement. */
async function insertedCalls({ deps }: Gateway): Promise<number> {
  const { rows } = await deps.database.pool.query<{ inserted: number }>(
    "select n_tup_ins::int as inserted from pg_stat_user_tables where relname = 'calls'",
  );
  return rows[0]!.inserted;
}

async function allCalls({ deps }: Gateway): Promise<{ status: string }[]> {
  return (await deps.database.pool.query<{ status: string }>('select status from calls')).rows;
}

/** Freezes PostgreSQL before a request about a team is sent to the upstream. */
function freezeBeforeUpstreamRequest({ proxy, current }: FrozenGateway, change: 'register' | 'update') {
  const { registration } = current.deps;
  const send = registration[change];
  registration[change] = (team) => {
    proxy.freeze();
    return send(team);
  };
}

test.each<[string, 'register' | 'update', number, (admin: Admin, team: GivenTeam) => Promise<Answer>]>([
  [
    'created',
    'register',
    503,
    (admin, { organizationId }) =>
      admin.post('/api/teams/create', { organization_id: organizationId, team_id: unique('team'), model_groups: [] }),
  ],
  ['changed', 'update', 200, (admin, { teamId }) => admin.put(`/api/teams/${teamId}`, { team_alias: 'Other' })],
  ['given a key', 'update', 200, (admin, { teamId }) => admin.post(`/api/teams/${teamId}/rotate-key`)],
  [
    'suspended with its organization',
    'update',
    200,
    (admin, { organizationId }) => admin.put(`/api/organizations/${organizationId}`, { status: 'suspended' }),
  ],
])(
  'a request during which PostgreSQL freezes while a team is %s is answered after one timeout',
  async (_, change, status, send) => {
    await using gateway = await gatewayBehindProxy({ worker: false });
    const team = await givenIn(gateway).team();
    freezeBeforeUpstreamRequest(gateway, change);

    const { answer, ms } = await timed(() => send(asAdmin(gateway), team));
    const read = await timed(() => asAdmin(gateway).get(`/api/teams/${team.teamId}`));
    gateway.proxy.thaw();

    expect([answer.status, read.answer.status]).toEqual([status, 503]);
    expect(ms).toBeLessThan(1.5 * read.ms);
  },
);

/** Without a timeout of the connection attempt, it was the 20 s for which a request may wait for a connection that is in use. */
const longMs = 8_000;

test('requests while PostgreSQL accepts no new connection are answered on the open connections, or with 503 within 8 s', async () => {
  await using gateway = await gatewayBehindProxy();
  const team = await givenIn(gateway).team();
  const job = await givenIn(gateway).job(team);

  gateway.proxy.shut();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => timed(() => as(gateway, team).get(`/api/jobs/${job}`))),
  );

  expect(answers.filter(({ ms }) => ms > longMs)).toEqual([]);
  expect(new Set(answers.map(({ answer }) => answer.status))).toEqual(new Set([200, 503]));
});

test('while PostgreSQL is frozen an api stays ready for three seconds, answers each probe at once, and is ready again after it', async () => {
  await using gateway = await gatewayBehindProxy({ worker: false });
  const probe = () => timed(() => sendRequest(gateway.current.url, 'get', '/health/ready'));
  const took: number[] = [];
  const statusOfProbe = async () => {
    const { answer, ms } = await probe();
    took.push(ms);
    return answer.status;
  };
  expect(await statusOfProbe()).toBe(200);

  gateway.proxy.freeze();
  const startedAt = performance.now();
  await until(statusOfProbe, (status) => status === 503, 30_000);
  const readyMs = performance.now() - startedAt;
  gateway.proxy.thaw();
  await until(statusOfProbe, (status) => status === 200);

  expect(readyMs).toBeGreaterThan(3_000);
  // A balancer counts a late answer as none. The probe itself takes 0.2 s.
  expect(took.sort((a, b) => a - b)[Math.floor(took.length / 2)]).toBeLessThan(900);
}, 60_000);
