import { migrations } from '../../migrations/index.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { gatewayForTests, startGateway } from '../support/gateway.ts';
import { waitingForLocks } from '../support/locks.ts';
import { rawRequest, sendAndReset, sendRaw } from '../support/raw.ts';
import { sendRequest } from '../support/send-request.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const get = (path: string, url = gateway.current.url) => sendRequest(url, 'get', path);
const getAsAdmin = (path: string) => sendRequest(gateway.current.url, 'get', path, { key: gateway.current.masterKey });
const allUp = { database: 'up', redis: 'up', temporal: 'up', upstream: 'up', worker: 'up' };

test('the probes report healthy and ready while every dependency is up (spec 14.1, spec 14.2, spec 14.3)', async () => {
  const health = await get('/health');

  expect(health.status).toBe(200);
  expect(health.body).toEqual({
    status: 'healthy',
    service: 'job-gateway',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    dependencies: allUp,
  });
  expect(await get('/health/ready')).toMatchObject({ status: 200, body: { dependencies: allUp } });
  expect(await get('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
});

test('without a worker /health reports degraded, and the api is ready (spec 14.1, spec 14.2)', async () => {
  const alone = await startGateway({ worker: false });
  try {
    await until(async () => (await get('/health', alone.url)).body.dependencies.worker === 'down');
    const ready = await get('/health/ready', alone.url);

    expect(await get('/health', alone.url)).toMatchObject({ status: 200, body: { status: 'degraded' } });
    expect(ready).toMatchObject({ status: 200, body: { dependencies: { worker: 'down' } } });
  } finally {
    await alone.close();
  }
});

test.each([
  ['TEMPORAL_ADDRESS', 'temporal'],
  ['REDIS_URL', 'redis'],
] as const)(
  'while %s is frozen /health reports it in time, and the api is ready and live (spec 14.1, spec 14.2, spec 14.3)',
  async (setting, dependency) => {
    const target = setting === 'REDIS_URL' ? services.redisUrl : `http://${services.temporalAddress}`;
    const proxy = await startFreezingProxy(new URL(target));
    const address = setting === 'REDIS_URL' ? proxy.url : new URL(proxy.url).host;
    const frozen = await startGateway({ worker: false, settings: { [setting]: address } });
    await frozen.startWorker().catch(() => undefined);
    try {
      await until(async () => (await get('/health', frozen.url)).body.status === 'healthy');
      proxy.freeze();
      await until(async () => (await get('/health', frozen.url)).body.dependencies[dependency] === 'down');
      const startedAt = performance.now();
      const [health, ready, live] = await Promise.all([
        get('/health', frozen.url),
        get('/health/ready', frozen.url),
        get('/health/live', frozen.url),
      ]);

      expect(performance.now() - startedAt).toBeLessThan(1_500);
      expect(health).toMatchObject({ status: 200, body: { status: 'degraded' } });
      expect([ready.status, live.status]).toEqual([200, 200]);
    } finally {
      await proxy.close();
      await frozen.close();
    }
  },
);

test.each([
  [
    'is not migrated to this version',
    `update migrations set name = 'another' where name = '${migrations.at(-1)!.name}'`,
  ],
  ['takes no writes', `alter database %I set default_transaction_read_only = on`],
])('the probes report a database that %s as down: the api is live and not ready (spec 14.2)', async (_, change) => {
  const alone = await startGateway({ worker: false });
  const { database } = alone.deps;
  const { rows } = await database.pool.query('select current_database() as name');
  try {
    await until(async () => (await get('/health', alone.url)).body.dependencies.database === 'up');
    await database.pool.query(change.replace('%I', rows[0].name));
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );

    await until(async () => (await get('/health', alone.url)).body.dependencies.database === 'down');

    const ready = await get('/health/ready', alone.url);
    expect(ready).toMatchObject({ status: 503, body: { detail: 'Not ready: database away' } });
    expect(ready.headers.get('retry-after')).toBe('1');
    expect((await get('/health/live', alone.url)).status).toBe(200);
  } finally {
    await alone.close();
  }
});

test('the probes report Temporal as down if its namespace does not exist', async () => {
  const alone = await startGateway({ worker: false, settings: { TEMPORAL_NAMESPACE: 'nowhere' } });
  try {
    expect((await get('/health', alone.url)).body.dependencies.temporal).toBe('down');
  } finally {
    await alone.close();
  }
});

test('a request whose connection is reset before its answer is counted with status 499', async () => {
  const { url, masterKey } = gateway.current;
  const release = await holdTable('organizations');
  const request = rawRequest('GET /api/organizations', { Authorization: `Bearer ${masterKey}` });
  await sendAndReset(url, request, () => waitingForLocks(gateway.current, 1));

  await until(async () => /path="\/api\/organizations",status="499"/.test((await getAsAdmin('/metrics')).text));
  await release();
});

/** Nobody reads or writes it until it is let go. */
async function holdTable(name: string): Promise<() => Promise<unknown>> {
  const holder = await gateway.current.deps.database.pool.connect();
  await holder.query(`begin; lock table ${name} in access exclusive mode`);
  return () => holder.query('rollback').finally(() => holder.release());
}

test('an api that begins to drain is not ready at once, and live (spec 14.2)', async () => {
  const alone = await startGateway({ worker: false });
  try {
    const draining = async () =>
      (await alone.deps.metrics.registry.getSingleMetric('gateway_draining')!.get()).values[0]!.value;
    expect((await get('/health/ready', alone.url)).status).toBe(200);
    expect(await draining()).toBe(0);

    alone.deps.drain.begin();

    const ready = await get('/health/ready', alone.url);
    expect(ready).toMatchObject({ status: 503, body: { detail: 'Not ready: draining' } });
    expect(await draining()).toBe(1);
    expect((await get('/health/live', alone.url)).status).toBe(200);
  } finally {
    await alone.close();
  }
});

test('a hundred simultaneous probes check the dependencies once', async () => {
  const { database } = gateway.current.deps;
  const before = database.pool.totalCount;

  const answers = await Promise.all(Array.from({ length: 100 }, () => get('/health')));

  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(database.pool.totalCount).toBeLessThanOrEqual(Math.max(before, 2));
});

test.each([
  ['without a credential', () => ({}), 401],
  ['with a wrong key', () => ({ 'x-admin-key': 'wrong' }), 401],
  ['with the platform key as a bearer', (key: string) => ({ authorization: `Bearer ${key}` }), 200],
  ['with the platform key in its own header', (key: string) => ({ 'x-admin-key': key }), 200],
])('/metrics requires the platform key: a request %s (spec 14.4)', async (_, headersOf, status) => {
  const headers: Record<string, string> = headersOf(gateway.current.masterKey);

  const answer = await sendRequest(gateway.current.url, 'get', '/metrics', { headers });

  expect(answer.status).toBe(status);
  expect(answer.text.includes('gateway_requests_total')).toBe(status === 200);
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
});

test('/metrics is Prometheus text, with labels of routes and not of ids (spec 14.4)', async () => {
  await get('/api/jobs/0b0e3c4a-8a50-4f9c-9a05-3f4a2c1d5e6f');
  const metrics = await getAsAdmin('/metrics');

  expect(metrics.status).toBe(200);
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  expect(metrics.text).toContain('gateway_requests_total{method="GET",path="/api/jobs/:job_id",status="401"} 1');
  expect(metrics.text).not.toContain('0b0e3c4a');
  for (const name of [
    'gateway_request_seconds_bucket',
    'gateway_call_overhead_seconds_count',
    'gateway_streams_open',
    'gateway_database_connections',
    'gateway_installation_queue_depth{queue="queued_calls"} 0',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
  ])
    expect(metrics.text).toContain(name);
});

test.each(['/health', '/health/live', '/health/ready', '/metrics'])(
  '%s answers also with odd queries, headers and bodies',
  async (path) => {
    const odd = await getAsAdmin(`${path}?constructor=1&x=%00`);
    const authorized = { Authorization: `Bearer ${gateway.current.masterKey}` };
    const { received } = await sendRaw(
      gateway.current.url,
      rawRequest(
        `GET ${path}`,
        { ...authorized, 'Content-Encoding': 'zz', 'Content-Length': '1', Connection: 'close' },
        'x',
      ),
    );

    expect(odd.status).toBe(200);
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  },
);
