import { chmodSync, existsSync, globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommand } from '../../tools/dev/processes/process-identity.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import type { RunFile } from '../../tools/dev/supervisor.ts';
import { isRunning, pidsOf, type Start, startEverything } from './npm-start.ts';

// The tests depend on their order: each one continues from the state in which the one before it ended.
const folder = mkdtempSync(join(tmpdir(), 'job-gateway-start-'));
let start: Start;

type SampleTeam = { credits: { virtual_key: string } };

afterAll(async () => {
  await start?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a single-call job succeeds, which needs every component. */
async function jobSucceeds(): Promise<boolean> {
  const { url } = start.run().api;
  const masterKey = readFileSync(join(folder, 'master-key'), 'utf8').trim();
  const asAdmin = { headers: { authorization: `Bearer ${masterKey}` } };
  const team = (await (await fetch(`${url}/api/teams/sample-team`, asAdmin)).json()) as SampleTeam;
  const messages = [{ role: 'user', content: 'Are you running?' }];
  const answer = await fetch(`${url}/api/jobs/create-and-call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.credits.virtual_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ team_id: 'sample-team', job_type: 'check', model: 'sample-chat', messages }),
  });
  return answer.status === 200;
}

test('npm start starts all components and runs a job through them (spec 13.5)', async () => {
  start = await startEverything(folder);

  const { run, output } = start;
  expect(Object.keys(run())).toEqual(['api', 'worker', 'postgres', 'redis', 'temporal', 'upstream']);
  expect(pidsOf(run()).filter((pid) => !isRunning(pid))).toEqual([]);
  expect(output()).toContain('data: [DONE]');
  expect(output()).toContain('"credit_applied":true');
  expect(output()).toContain('"credits_used":1');
}, 150_000);

/** The files and folders, except PostgreSQL's, that others than their owner may read or write. */
function accessibleToOthers(): string[] {
  const entries = globSync('**', { cwd: folder, exclude: (name) => name === 'postgres' });
  return entries.filter((name) => (lstatSync(join(folder, name)).mode & (name === '.' ? 0o066 : 0o077)) !== 0);
}

test('no file in the data folder is readable by others, and the password file of initdb is removed', () => {
  expect(accessibleToOthers()).toEqual([]);
  expect(lstatSync(join(folder, 'temporal.db')).isFile()).toBe(true);
  expect(readdirSync(join(folder, 'postgres'))).toEqual(['data']);
});

/** The reply of Redis to a client without a password. */
const replyOfRedis = (message: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(start.run().redis.url);
    const socket = connect(Number(port), hostname, () => socket.write(message));
    socket.once('data', (data) => resolve(data.toString())).once('data', () => socket.destroy());
    socket.once('error', reject);
  });

test('Redis refuses a client without its password, and no process has a password in its arguments', async () => {
  const { redis, postgres } = start.run();
  const passwords = [redis.url, postgres.url].map((url) => new URL(url).password);

  expect(await replyOfRedis('PING\r\n')).toMatch(/^-NOAUTH/);
  expect(await replyOfRedis('PUBLISH cancelled-workflows x\r\n')).toMatch(/^-NOAUTH/);
  expect(passwords.map((password) => password.length)).toEqual([64, 64]);
  const shown = pidsOf(start.run()).map(readCommand);
  expect(shown.filter((command) => passwords.some((password) => command.includes(password)))).toEqual([]);
  expect(shown.every((command) => command.length > 0)).toBe(true);
});

test.each(['api', 'worker', 'postgres', 'redis', 'temporal', 'upstream'] as (keyof RunFile)[])(
  'a killed %s is restarted at the same address (spec 13.5)',
  async (name) => {
    const { pid, ...where } = start.run()[name];

    process.kill(pid!, 'SIGKILL');

    const replaced = () => start.run()[name].pid !== pid && isRunning(start.run()[name].pid!);
    expect(await waitUntil(replaced, { withinMs: 20_000 })).toBe(true);
    expect(start.run()[name]).toMatchObject(where);
    expect(await waitUntil(jobSucceeds, { withinMs: 30_000, everyMs: 500 })).toBe(true);
    expect(start.output()).toContain(`${name} ended by SIGKILL`);
  },
);

test('SIGTERM ends all processes within 30 seconds (spec 13.5)', async () => {
  const pids = pidsOf(start.run());
  const began = performance.now();

  expect(await start.end()).toBe(0);

  expect(performance.now() - began).toBeLessThan(30_000);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(existsSync(join(folder, 'run.json'))).toBe(false);
});

test('a second npm start uses the data of the first one, and restricts the files to their owner again', async () => {
  const opened = ['', 'logs', 'logs/redis.log', 'temporal.db', 'master-key', 'redis-password'];
  for (const name of opened) chmodSync(join(folder, name), 0o755);

  start = await startEverything(folder);

  expect(accessibleToOthers()).toEqual([]);

  expect(start.output()).toMatch(/"credits_used":(?!1,)\d+/);
}, 150_000);
