import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { Redis } from 'ioredis';
import { migrations } from '../../migrations/index.ts';
import { loadConfig } from '../../src/config.ts';
import { judgeDatabase } from '../../src/db/connection/find-database-problems.ts';
import { requireSupported } from '../../src/db/connection/orm.ts';
import { checkStart } from '../../src/health/check-start.ts';
import { createLog } from '../../src/log.ts';
import { judgeServer } from '../../src/redis/find-redis-problems.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { findRedis } from '../../tools/dev/services/redis/find-redis.ts';
import { type ClonedDatabase, cloneDatabase, execute, urlOfDatabase } from '../support/database.ts';
import { settingsOnServices } from '../support/process-settings.ts';
import { programArguments } from '../support/program-arguments.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const randomText = () => randomBytes(6).toString('hex');
const keyword = 2;
const int = 3;
const names = ['TeamId', 'OrganizationId', 'JobType', 'JobStatus'];

let cloned: ClonedDatabase;
let temporal: Connection;
beforeAll(async () => {
  cloned = await cloneDatabase();
  temporal = await Connection.connect({ address: services.temporalAddress });
});
afterAll(async () => {
  await temporal.close();
  await cloned.drop();
});

const settings = (changes: Record<string, string> = {}): Record<string, string> => ({
  ...settingsOnServices('start'),
  DATABASE_URL: cloned.url,
  UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
  ...changes,
});

/** What the check has logged and thrown, as texts. */
async function check(changes: Record<string, string>) {
  const lines: { msg: string; problem?: string; made?: string[] }[] = [];
  const log = createLog('info', 'test', { write: (line) => lines.push(JSON.parse(line)) });
  const problem = await checkStart(loadConfig(settings(changes)), log).then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  const warnings = lines.flatMap(({ msg, problem }) => (msg === 'start: warning' ? problem! : []));
  return { problem, warnings, made: lines.flatMap(({ made }) => made ?? []) };
}

/** A namespace that the server answers for, with these search attributes. */
async function newNamespace(attributes: Record<string, number> = {}): Promise<string> {
  const namespace = `start-${randomText()}`;
  await temporal.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await until(() => temporal.operatorService.listSearchAttributes({ namespace }).catch(() => undefined), Boolean);
  if (Object.keys(attributes).length > 0)
    await temporal.operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
  return namespace;
}

const attributesOf = async (namespace: string) =>
  (await temporal.operatorService.listSearchAttributes({ namespace })).customAttributes;

test('processes that start together make the search attributes that their namespace lacks (spec 15.13)', async () => {
  const namespace = await newNamespace({ TeamId: keyword });

  const starts = await Promise.all([1, 2, 3].map(() => check({ TEMPORAL_NAMESPACE: namespace })));

  expect(starts.map(({ problem, warnings }) => [problem, warnings])).toEqual([1, 2, 3].map(() => [undefined, []]));
  expect(starts.flatMap(({ made }) => made)).toEqual(expect.arrayContaining(names.slice(1)));
  expect(await attributesOf(namespace)).toEqual(Object.fromEntries(names.map((name) => [name, keyword])));
  expect(await check({ TEMPORAL_NAMESPACE: namespace })).toEqual({ problem: undefined, warnings: [], made: [] });
});

test('a start without the namespace is refused with the command that makes it (spec 15.13)', async () => {
  const { problem } = await check({ TEMPORAL_NAMESPACE: 'nowhere' });

  expect(problem).toBe(
    `CannotStart: Temporal at ${services.temporalAddress} (TEMPORAL_ADDRESS, TLS is off): namespace 'nowhere' does not exist: ` +
      `temporal operator namespace create --address ${services.temporalAddress} --namespace nowhere --retention 7d`,
  );
});

test.each([
  [
    { TeamId: int },
    /another type than Keyword \(TeamId\): temporal operator search-attribute remove .* --name TeamId, then/,
  ],
  [
    Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`Other${n}`, keyword])),
    /lacks search attributes, .* \(.*more than 10 .*\): temporal operator search-attribute create .* --name TeamId --type Keyword --name Org/,
  ],
])(
  'a start in a namespace with the search attributes %j is refused with commands (spec 15.13)',
  async (attributes, text) => {
    const { problem, made } = await check({ TEMPORAL_NAMESPACE: await newNamespace(attributes) });

    expect(problem).toMatch(text);
    expect(made).toEqual([]);
  },
);

test.each([
  [
    'a role that does not exist',
    (url: URL) => (url.username = 'nobody_here'),
    /password authentication failed|role "nobody_here" does not exist/,
  ],
  ['a database that does not exist', (url: URL) => (url.pathname = '/nowhere'), /database "nowhere" does not exist/],
  ['a port where nothing listens', (url: URL) => (url.port = '1'), /ECONNREFUSED/],
  ['a server without TLS', (url: URL) => (url.search = '?sslmode=verify-full'), /does not support SSL/],
])('a start with %s is refused in one sentence without the password (spec 15.13)', async (_, change, text) => {
  const url = new URL(cloned.url);
  url.password ||= 'a-password-of-the-url';
  change(url);

  const { problem } = await check({ DATABASE_URL: url.href });

  expect(problem).toMatch(text);
  expect(problem).toMatch(/^CannotStart: PostgreSQL at .* \(DATABASE_URL\): /);
  expect(problem).not.toContain(url.password);
});

describe('databases that are reached', () => {
  const last = migrations.at(-1)!.name;
  let other: ClonedDatabase;
  beforeEach(async () => {
    other = await cloneDatabase();
  });
  afterEach(() => other.drop());

  test.each([
    ['without tables', 'drop schema public cascade; create schema public', /is not migrated: run "npm run migrate"/],
    [
      'without the last migration',
      `delete from migrations where name = '${last}'`,
      new RegExp(`lacks 1 migrations .*${last}`),
    ],
  ])('a start with a database %s is refused (spec 15.13)', async (_, change, text) => {
    await execute(other.url, change);

    expect((await check({ DATABASE_URL: other.url })).problem).toMatch(text);
  });

  test('a start with a role that has no rights on the tables is refused (spec 15.13)', async () => {
    const role = `start_${randomText()}`;
    await execute(other.url, `create role ${role} login password 'x'`);
    const url = new URL(other.url);
    [url.username, url.password] = [role, 'x'];

    expect((await check({ DATABASE_URL: url.href })).problem).toContain(
      `the role "${role}" has no rights on the tables`,
    );
    await execute(other.url, `drop role ${role}`);
  });

  test.each([
    ['with a newer migration', `insert into migrations (name) values ('9999-newer')`, /newer version \(9999-newer\)/],
    ['that is read-only', `alter database %I set default_transaction_read_only = on`, /takes no writes/],
  ])('a start with a database %s is only warned of (spec 15.13)', async (_, change, text) => {
    await execute(other.url, change.replace('%I', new URL(other.url).pathname.slice(1)));

    const { problem, warnings } = await check({ DATABASE_URL: other.url });

    expect([problem, warnings]).toEqual([undefined, [expect.stringMatching(text)]]);
  });
});

test.each([
  [{ encoding: 'UTF8', has_icu: true, version: 14 }, 'PostgreSQL 14 is too old: 15 or newer is needed'],
  [{ encoding: 'LATIN1', has_icu: true, version: 15 }, 'the database has the encoding LATIN1: it has to be UTF8'],
  [{ encoding: 'UTF8', has_icu: false, version: 15 }, 'PostgreSQL is built without ICU'],
])('the server %j is refused', (server, text) => {
  expect(() => requireSupported(server)).toThrow(text);
});

test('a database that has what this version needs is accepted', () => {
  const shown = { role: 'a', is_migrated: true, may_use: true, takes_writes: true };
  expect(
    judgeDatabase(
      shown,
      migrations.map(({ name }) => name),
    ),
  ).toEqual({ problems: [], warnings: [] });
});

/** A Redis of its own, which accepts connections. */
async function startRedis(...options: string[]) {
  const { run } = await findRedis(
    `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/job-gateway`,
    () => undefined,
  );
  const port = await freePort();
  const { command, env } = run(port, []);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp', ...options];
  const child = spawn(command, args, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const client = new Redis(port, { password: options.includes('--requirepass') ? 'right' : undefined });
  client.on('error', () => undefined);
  await until(
    () => client.ping().catch(() => ''),
    (answer) => answer === 'PONG',
  );
  return {
    port,
    client,
    async [Symbol.asyncDispose]() {
      client.disconnect();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('a start with a Redis that refuses the credentials, or a right of its user, is refused (spec 15.13)', async () => {
  await using redis = await startRedis('--requirepass', 'right');
  await redis.client.call('acl', 'setuser', 'few', 'on', '>x', '~*', 'resetchannels', '+@all', '-xadd', '-eval');
  const at = `127.0.0.1:${redis.port}`;

  expect((await check({ REDIS_URL: `redis://${at}` })).problem).toMatch(/refuses the credentials: NOAUTH/);
  expect((await check({ REDIS_URL: `redis://:wrong@${at}` })).problem).toMatch(/refuses the credentials: WRONGPASS/);
  const lacking = (await check({ REDIS_URL: `redis://few:x@${at}` })).problem;
  expect(lacking).toMatch(/the user "few" may not xadd, publish, subscribe, eval: it needs ~\* &\* \+set /);
  expect(await check({ REDIS_URL: `redis://:right@${at}` })).toMatchObject({ problem: undefined, warnings: [] });
});

test('a start with a Redis in cluster mode is refused, and one with a Redis that evicts keys is warned of (spec 15.13)', async () => {
  await using cluster = await startRedis(
    '--cluster-enabled',
    'yes',
    '--cluster-config-file',
    `nodes-${randomText()}.conf`,
    // Otherwise it is 10,000 more than the other, which a connection of another process may have.
    '--cluster-port',
    String(await freePort()),
  );
  await using evicting = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');

  const [first, second] = await Promise.all(
    [cluster, evicting].map(({ port }) => check({ REDIS_URL: `redis://127.0.0.1:${port}` })),
  );

  expect(first!.problem).toMatch(/cluster mode/);
  expect(second).toMatchObject({
    problem: undefined,
    warnings: [expect.stringMatching(/allkeys-lru .*set noeviction/)],
  });
});

test.each([
  [{ redis_version: '6.0.16' }, { problems: ['version 6.0.16 is too old: 6.2 or newer is needed'], warnings: [] }],
  [
    { redis_mode: 'sentinel' },
    { problems: ['it is a Sentinel: the address of the server itself is needed'], warnings: [] },
  ],
  [{ role: 'slave' }, { problems: [], warnings: ['it is a replica, which takes no writes'] }],
  [
    {
      redis_version: '7.2.4',
      redis_mode: 'standalone',
      role: 'master',
      maxmemory: '0',
      maxmemory_policy: 'allkeys-lru',
    },
    { problems: [], warnings: [] },
  ],
])('the Redis %j is judged by what it states of itself', (info, found) => {
  expect(judgeServer(info as Record<string, string>)).toEqual(found);
});

test('a start without a Redis and a Temporal that respond is warned of, with TLS or without (spec 15.13)', async () => {
  const plain = await check({ REDIS_URL: 'redis://127.0.0.1:1', TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const tls = await check({ TEMPORAL_TLS_SERVER_NAME: 'temporal.test' });

  expect(plain).toMatchObject({
    problem: undefined,
    warnings: [
      'Redis at 127.0.0.1:1 (REDIS_URL, TLS is off): no connection: connect ECONNREFUSED 127.0.0.1:1',
      expect.stringMatching(
        /^Temporal at 127.0.0.1:1 \(TEMPORAL_ADDRESS, TLS is off\) does not respond: .*ECONNREFUSED/,
      ),
    ],
  });
  expect(tls.warnings).toEqual([expect.stringMatching(/TLS is on\) does not respond: .*wrong version number/)]);
});

test.each(['api', 'worker'])(
  'the %s ends with one line for all problems and without a stack (spec 15.13)',
  async (program) => {
    const env = {
      PATH: process.env.PATH,
      ...settings({
        TEMPORAL_NAMESPACE: 'nowhere',
        PORT: '0',
        DATABASE_URL: urlOfDatabase(services.adminDatabaseUrl, 'postgres'),
      }),
    };
    const child = spawn(process.execPath, programArguments(`src/${program}.ts`), {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });

    const [code] = await once(child, 'close');

    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({ level: 60, msg: 'process: start failed', problem: expect.any(String) }),
    ]);
    expect(lines[0].problem).toMatch(/npm run migrate.*; Temporal at .*namespace create/);
    expect(lines[0].err).toBeUndefined();
  },
);
