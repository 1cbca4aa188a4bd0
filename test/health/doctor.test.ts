import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/connection/database.ts';
import type { Checked } from '../../src/health/doctor/checked.ts';
import { checks } from '../../src/health/doctor/checks.ts';
import { createLog } from '../../src/log.ts';
import { openTemporal } from '../../src/temporal/connection/open-temporal.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { findTemporal } from '../../tools/dev/services/temporal/find-temporal.ts';
import { execute, urlOfDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { startOidcIssuer } from '../support/oidc-issuer.ts';
import { runProgram } from '../support/run-program.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const randomText = () => randomBytes(6).toString('hex');
const suffix = randomText();
const owner = urlOfDatabase(services.adminDatabaseUrl, `doctor_${suffix}`);
const service = new URL(owner);
[service.username, service.password] = [`doctor_${suffix}`, randomText()];

let gateway: Gateway;
let temporal: Connection;
beforeAll(async () => {
  await execute(services.adminDatabaseUrl, `create database doctor_${suffix}`);
  await runProgram('src/db/migrate.ts', { DATABASE_URL: owner, DATABASE_SERVICE_URL: service.href });
  gateway = await startGateway({ settings: { DATABASE_URL: service.href } });
  temporal = await Connection.connect({ address: services.temporalAddress });
}, 60_000);
afterAll(async () => {
  await temporal?.close();
  await gateway?.close();
  await execute(services.adminDatabaseUrl, `drop database if exists doctor_${suffix} with (force)`);
  await execute(services.adminDatabaseUrl, `drop role if exists ${service.username}`);
});

type Settings = Record<string, string>;
const current = {
  get current() {
    return gateway;
  },
};
const given = givenIn(current);

/** What one check finds of an installation whose settings are right but for these. */
async function check(name: string, changes: Settings = {}): Promise<Checked> {
  const config = loadConfig({ ...gateway.environment, ...changes });
  await using closing = new AsyncDisposableStack();
  const opened = openTemporal(config, createLog('silent', 'test'));
  closing.defer(() => opened.close());
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: 2, stallTimeoutMs: 5_000 });
  closing.defer(async () => (await database.catch(() => undefined))?.close());
  await database.catch(() => undefined);
  return await checks[name]!({ config, temporal: opened, openDatabase: () => database });
}

/** The program, with its lines and its exit code. */
async function doctor(environment: Settings) {
  const run = runProgram('src/doctor.ts', environment).then(
    (stdout) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  const { stdout, code } = await run;
  return { code, lines: stdout.trim().split('\n') };
}

test('npm run doctor prints one line for each check of a right installation, and exits 0 (spec 15.15)', async () => {
  const team = await given.team();
  expectOk(await as(current, team).single());
  // The namespace of the tests keeps what has ended for a day.
  const isRight = (line: string) => line.startsWith('ok ') || /^warning {2}temporal .*--retention 7d$/.test(line);

  const { code, lines } = await until(
    () => doctor(gateway.environment),
    (printed) => printed.lines.every(isRight),
    60_000,
  );

  expect(code).toBe(0);
  expect(lines.map((line) => line.slice(9, 25).trim())).toEqual(Object.keys(checks));
}, 90_000);

test('npm run doctor prints every setting that is missing, and exits 1 (spec 15.15)', async () => {
  const { MASTER_KEY, REDIS_URL, ...environment } = gateway.environment;

  const { code, lines } = await doctor(environment);

  expect(code).toBe(1);
  expect(lines).toEqual([
    'problem  settings        MASTER_KEY: is not set',
    'problem  settings        REDIS_URL: is not set',
  ]);
  expect([MASTER_KEY, REDIS_URL]).not.toContain(undefined);
});

test('npm run doctor states what does not respond once each, goes on with the other checks, and exits 1 (spec 15.15)', async () => {
  const away = {
    DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/nowhere',
    REDIS_URL: 'redis://127.0.0.1:1',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
  };

  const { code, lines } = await doctor({ ...gateway.environment, ...away });

  expect(code).toBe(1);
  const problems = lines.filter((line) => line.startsWith('problem'));
  expect(problems).toEqual([
    expect.stringMatching(/^problem {2}database +PostgreSQL at 127.0.0.1:1\/nowhere .*ECONNREFUSED/),
    expect.stringMatching(/^problem {2}redis +Redis at 127.0.0.1:1 .*ECONNREFUSED/),
    expect.stringMatching(/^problem {2}temporal +Temporal at 127.0.0.1:1 .*ECONNREFUSED/),
    expect.stringMatching(
      /^problem {2}upstream +the upstream could not be reached \(ECONNREFUSED\): UPSTREAM_BASE_URL/,
    ),
  ]);
  expect(lines.join('\n')).not.toContain('secret');
}, 30_000);

test.each<[Settings, 'problems' | 'warnings', RegExp]>([
  [{ UPSTREAM_MASTER_KEY: '' }, 'problems', /UPSTREAM_TEAM_KEYS=off/],
  [{ MASTER_KEY_PREVIOUS: 'of the gateway' }, 'problems', /has to be the key of before/],
  [{ MASTER_KEY_PREVIOUS: 'a'.repeat(20) + randomText() + randomText() }, 'warnings', /finish the exchange/],
  [{ UPSTREAM_TIMEOUT_SECONDS: '7200' }, 'warnings', /UPSTREAM_MAX_SECONDS/],
  [{ HELD_BYTES: '33554432' }, 'warnings', /a quarter of HELD_BYTES/],
  [{ JOB_RETENTION_DAYS: '7' }, 'warnings', /below PAYLOAD_RETENTION_DAYS/],
  [{ HOST: '0.0.0.0', SETUP: 'open' }, 'warnings', /SETUP=master-key/],
])('the doctor finds settings that contradict each other: %j (spec 15.15)', async (changes, level, text) => {
  const changed =
    changes.MASTER_KEY_PREVIOUS === 'of the gateway' ? { MASTER_KEY_PREVIOUS: gateway.masterKey } : changes;

  expect((await check('settings', changed))[level]).toContainEqual(expect.stringMatching(text));
  expect(await check('settings')).toMatchObject({ problems: [], warnings: [] });
});

test('the doctor finds an issuer that does not respond as one, without the secret (spec 15.15)', async () => {
  const issuer = await startOidcIssuer();
  const found = () => check('OIDC_ISSUER', issuer.settings);

  const closed = await found();
  issuer.open(gateway.url);
  const open = await found();
  await issuer.close();
  const away = await found();

  expect(closed.problems).toEqual([
    expect.stringMatching(/does not respond as an issuer of OpenID Connect .*OIDC_ISSUER/),
  ]);
  expect(open).toEqual({ fact: `${issuer.url} responds`, problems: [], warnings: [] });
  expect(away.problems).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(JSON.stringify([closed, away])).not.toContain(issuer.settings.OIDC_CLIENT_SECRET);
  expect((await check('OIDC_ISSUER')).problems).toEqual([]);
});

test('the doctor finds a database that is not migrated, with the command (spec 15.15)', async () => {
  const url = urlOfDatabase(services.adminDatabaseUrl, 'postgres');

  expect((await check('database', { DATABASE_URL: url })).problems).toEqual([
    expect.stringContaining('npm run migrate'),
  ]);
});

test('the doctor finds a role that owns tables, may create them or may change the ledger, with the command (spec 15.15)', async () => {
  const asOwner = (sql: string) => execute(owner, sql);
  const rights = async () => (await check('role')).problems;

  expect((await check('role', { DATABASE_URL: owner })).problems).toEqual([
    expect.stringMatching(/is a superuser: .*DATABASE_SERVICE_URL=<of another role> npm run migrate/),
  ]);
  expect(await rights()).toEqual([]);
  await asOwner(`grant update on credit_transactions to ${service.username}`);
  expect(await rights()).toEqual([expect.stringContaining('may change the ledger: ')]);
  await asOwner(
    `revoke update on credit_transactions from ${service.username}; grant create on schema public to ${service.username}`,
  );
  expect(await rights()).toEqual([expect.stringContaining('may create tables: ')]);
  await asOwner(
    `revoke create on schema public from ${service.username}; create table of_service (a int); alter table of_service owner to ${service.username}`,
  );
  expect(await rights()).toEqual([expect.stringContaining('owns the tables: ')]);
  await asOwner('drop table of_service');
});

test('the doctor finds a MASTER_KEY that does not open what is sealed, and values of the previous one (spec 15.15)', async () => {
  await given.team();
  const another = randomBytes(32).toString('hex');

  const wrong = await check('MASTER_KEY', { MASTER_KEY: another });
  const exchanged = await check('MASTER_KEY', { MASTER_KEY: another, MASTER_KEY_PREVIOUS: gateway.masterKey });

  expect(wrong.problems).toContainEqual(
    expect.stringMatching(/opens not all of virtual_keys.key_sealed: .*npm run rekey/),
  );
  expect(exchanged).toMatchObject({
    problems: [],
    warnings: expect.arrayContaining([expect.stringMatching(/npm run rekey/)]),
  });
  expect(await check('MASTER_KEY')).toMatchObject({ problems: [], warnings: [] });
});

test('the doctor finds a namespace that is missing, lacks search attributes or forgets soon, with the commands, and makes nothing (spec 15.15)', async () => {
  const namespace = `doctor-${randomText()}`;
  await temporal.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  const attributes = () => temporal.operatorService.listSearchAttributes({ namespace });
  await until(() => attributes().catch(() => undefined), Boolean);
  const found = () => check('temporal', { TEMPORAL_NAMESPACE: namespace });

  expect((await check('temporal', { TEMPORAL_NAMESPACE: 'nowhere' })).problems).toEqual([
    expect.stringContaining('temporal operator namespace create --address'),
  ]);
  expect((await found()).problems).toEqual([
    expect.stringMatching(/search-attribute create .*--name JobStatus --type Keyword/),
  ]);
  expect((await attributes()).customAttributes).toEqual({});
  await temporal.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: { TeamId: 2, OrganizationId: 2, JobType: 2, JobStatus: 2 },
  });
  expect(await until(found, ({ problems }) => problems.length === 0)).toMatchObject({
    warnings: [expect.stringMatching(/for less than 3 days: temporal operator namespace update .*--retention 7d/)],
  });
});

test('the doctor finds by the last job that the server gives calls to workers late (spec 15.15)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'job-gateway-doctor-'));
  const program = await findTemporal(
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'job-gateway'),
    () => undefined,
  );
  const address = `127.0.0.1:${await freePort()}`;
  const off = ['system.enableActivityEagerExecution=false'].flatMap((one) => ['--dynamic-config-value', one]);
  const names = ['TeamId', 'OrganizationId', 'JobType', 'JobStatus'].flatMap((name) => [
    '--search-attribute',
    `${name}=Keyword`,
  ]);
  const args = [
    'server',
    'start-dev',
    '--headless',
    '--ip',
    '127.0.0.1',
    '--port',
    address.split(':')[1]!,
    ...names,
    ...off,
  ];
  const server = spawn(program, args, { cwd: folder, env: { HOME: folder }, stdio: 'ignore' });
  let slow: Gateway | undefined;
  try {
    const settings = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' };
    await until(
      () =>
        check('temporal', settings).then(
          ({ problems }) => problems.length === 0,
          () => false,
        ),
      Boolean,
      60_000,
    );
    slow = await startGateway({ settings });
    const started = slow;
    const addressed = { current: started };
    const team = await givenIn(addressed).team();
    const found = () =>
      check('dynamic config', { ...settings, TEMPORAL_TASK_QUEUE: started.config.TEMPORAL_TASK_QUEUE });
    const job = await givenIn(addressed).job(team);
    expectOk(await as(addressed, team).call(job));
    expectOk(await as(addressed, team).complete(job));

    const { warnings } = await until(found, (checked) => checked.warnings.length > 0, 30_000);

    expect(warnings).toEqual([
      expect.stringMatching(/system.enableActivityEagerExecution is off: .*temporal-dynamic-config/),
    ]);
  } finally {
    await slow?.close();
    server.kill('SIGKILL');
    await once(server, 'exit');
    await rm(folder, { recursive: true });
  }
}, 120_000);

test('the doctor finds an upstream that refuses the key, has no list, or lacks a model of a group (spec 15.15)', async () => {
  const refused = await check('upstream', { UPSTREAM_MASTER_KEY: 'sk-wrong' });
  const elsewhere = await check('upstream', { UPSTREAM_BASE_URL: `${gateway.simulator.url}/nowhere` });
  await given.modelGroup(['sim-ok', 'a-model-of-nobody']);
  const lacking = await check('upstream');

  expect(refused.problems).toEqual([
    expect.stringContaining('UPSTREAM_MASTER_KEY has to be a key that the upstream accepts'),
  ]);
  expect(elsewhere.warnings).toEqual([expect.stringContaining('no list of models (404): UPSTREAM_BASE_URL has to be')]);
  expect(lacking).toMatchObject({ problems: [], warnings: [expect.stringContaining("'a-model-of-nobody'")] });
});

test('the doctor finds a clock that is more than a second away (spec 15.15)', async () => {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() + 5_000).toUTCString());
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const found = await check('clocks', {
    UPSTREAM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });

  server.close();
  expect(found.warnings).toEqual([
    expect.stringMatching(/^the clock of the upstream is [345]\.\d s ahead of this machine's/),
  ]);
  expect(await check('clocks')).toMatchObject({
    warnings: [],
    fact: expect.stringContaining('PostgreSQL, Redis, Temporal, the upstream: within 1 s'),
  });
});
