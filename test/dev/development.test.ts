import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIdentity } from '../../tools/dev/processes/process-identity.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import { runProgram } from '../../tools/dev/services/run-program.ts';
import { findRunningServices } from '../../tools/dev/services-for-development.ts';
import type { RunFile } from '../../tools/dev/supervisor.ts';
import { startServices } from '../support/start-services.ts';
import { isRunning, nothingConfigured, pidsOf, type Start, startProgram } from './npm-start.ts';

// The tests depend on their order: each one continues from the state in which the one before it ended.
const folder = mkdtempSync(join(tmpdir(), 'job-gateway-development-'));
let services: Start | undefined;
let dev: Start | undefined;

afterAll(async () => {
  await dev?.end();
  await services?.end();
  rmSync(folder, { recursive: true, force: true });
});

const readRunFile = (): RunFile => JSON.parse(readFileSync(join(folder, 'services', 'run.json'), 'utf8'));

/** Runs with these environment variables, and restores the former ones. */
async function withEnvironment<T>(variables: Record<string, string>, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

test('npm run services starts PostgreSQL, Redis and Temporal, and npm test uses them', async () => {
  services = await startProgram('tools/dev/run-services.ts', folder);

  const { ok, output } = await runProgram(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', 'test/support/database.test.ts'],
    { env: { ...process.env, ...nothingConfigured, DATA_DIR: folder, CI: '' }, timeoutMs: 120_000 },
  );

  expect(Object.keys(readRunFile())).toEqual(['postgres', 'redis', 'temporal']);
  expect(pidsOf(readRunFile()).filter((pid) => !isRunning(pid))).toEqual([]);
  expect(output).toContain('The tests use the services of "npm run services".');
  expect(ok).toBe(true);
}, 180_000);

test.each([
  ['are used beside those that a variable names', '', true],
  ['are not used where CI is set', '1', false],
])('running services %s', async (_, CI, areUsed) => {
  const named = { DATABASE_URL: 'postgresql://127.0.0.1:1/named', TEMPORAL_ADDRESS: '127.0.0.1:2', REDIS_URL: '' };

  const started = await withEnvironment({ ...named, CI, DATA_DIR: folder }, () => startServices(() => undefined));
  await started.stop();

  expect(started).toMatchObject({ databaseUrl: named.DATABASE_URL, temporalAddress: named.TEMPORAL_ADDRESS });
  expect(started.redisUrl === readRunFile().redis.url).toBe(areUsed);
});

test('services that do not answer are not found, though their supervisor seems to run', async () => {
  const stale = join(folder, 'stale');
  mkdirSync(join(stale, 'services'), { recursive: true });
  const write = (name: string, content: object) =>
    writeFileSync(join(stale, 'services', name), JSON.stringify(content));
  write('supervisor.json', { pid: process.pid, identity: readIdentity(process.pid) });
  const run = readRunFile();
  write('run.json', { ...run, redis: { ...run.redis, url: 'redis://:password@127.0.0.1:1' } });
  const find = (DATA_DIR: string) => withEnvironment({ ...nothingConfigured, DATA_DIR }, findRunningServices);

  expect(await find(stale)).toBeUndefined();
  expect(await find(folder)).toMatchObject({ databaseUrl: run.postgres.url });
});

test('npm run dev uses the running services, and serves the sources of the console at the origin of the api', async () => {
  dev = await startProgram('tools/dev/dev.ts', folder);

  const { api, postgres } = dev.run();
  expect(postgres).toEqual({ pid: null, url: readRunFile().postgres.url });
  const page = await fetch(`${api.url}/console/jobs`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('src="/console/src/main.tsx"');
  expect((await fetch(`${api.url}/api/session`)).headers.get('x-request-id')).toEqual(expect.any(String));
}, 150_000);

test('npm run dev starts api and worker again when a file of the product has changed', async () => {
  const before = dev!.run();
  const now = new Date();

  // The content stays, because other tests read it.
  utimesSync('src/errors.ts', now, now);

  expect(await waitUntil(() => dev!.output().includes('Ready again'), { withinMs: 60_000 })).toBe(true);
  const after = dev!.run();
  expect([after.api.pid, after.worker.pid].every((pid) => isRunning(pid!))).toBe(true);
  expect([before.api.pid, before.worker.pid].some((pid) => isRunning(pid!))).toBe(false);
  expect(after.upstream.pid).toBe(before.upstream.pid);
});

test('npm run dev ends what it has started, and leaves the services running', async () => {
  const { api, worker, upstream } = dev!.run();

  expect(await dev!.end()).toBe(0);

  expect([api, worker, upstream].filter(({ pid }) => isRunning(pid!))).toEqual([]);
  expect(pidsOf(readRunFile()).filter((pid) => !isRunning(pid))).toEqual([]);
});

test('SIGTERM ends the services', async () => {
  const pids = pidsOf(readRunFile());

  expect(await services!.end()).toBe(0);

  expect(pids.filter(isRunning)).toEqual([]);
  expect(() => readRunFile()).toThrow('ENOENT');
});
