import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../src/dev/processes/wait-until.ts';
import type { RunFile } from '../../src/dev/run-file.ts';
import { isRunning, pidsOf, type Start, startEverything } from './a-start.ts';

// One story on real parts, told in order: each test begins where the one before it ended.
const folder = mkdtempSync(join(tmpdir(), 'job-gateway-start-'));
let start: Start;

afterAll(async () => {
  await start?.end();
  rmSync(folder, { recursive: true, force: true });
});

const ready = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;

test('npm start brings everything up and runs a job through it', async () => {
  start = await startEverything(folder);

  const { run, output } = start;
  expect(Object.keys(run())).toEqual(['api', 'worker', 'postgres', 'redis', 'temporal', 'upstream']);
  expect(pidsOf(run()).filter((pid) => !isRunning(pid))).toEqual([]);
  expect(await ready(run().api.url)).toBe(true);
  expect(output()).toContain('data: [DONE]');
  expect(output()).toContain('"credit_applied":true');
  expect(output()).toContain('"credits_used":1');
}, 150_000);

test.each(['api', 'worker', 'postgres', 'redis', 'temporal', 'upstream'] as (keyof RunFile)[])(
  'a killed %s is started again, where it was',
  async (name) => {
    const { pid, ...where } = start.run()[name];

    process.kill(pid!, 'SIGKILL');

    const replaced = () => start.run()[name].pid !== pid && isRunning(start.run()[name].pid!);
    expect(await waitUntil(replaced, { withinMs: 20_000 })).toBe(true);
    expect(start.run()[name]).toMatchObject(where);
    expect(await waitUntil(() => ready(start.run().api.url), { withinMs: 30_000 })).toBe(true);
    expect(start.output()).toContain(`${name} ended by SIGKILL`);
  },
);

test('SIGTERM ends all of it, within 30 seconds', async () => {
  const pids = pidsOf(start.run());
  const began = performance.now();

  expect(await start.end()).toBe(0);

  expect(performance.now() - began).toBeLessThan(30_000);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(existsSync(join(folder, 'run.json'))).toBe(false);
});

test('a second npm start finds what the first one left', async () => {
  start = await startEverything(folder);

  expect(start.output()).toContain('"credits_used":2');
}, 150_000);
