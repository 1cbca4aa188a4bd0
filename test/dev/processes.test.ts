import { readFileSync } from 'node:fs';
import { endProcess } from '../../tools/dev/processes/end-process.ts';
import { keepRunning } from '../../tools/dev/processes/keep-running.ts';
import { identityOf } from '../../tools/dev/processes/process-identity.ts';
import { endRecorded } from '../../tools/dev/processes/process-record.ts';
import { startUntilReady } from '../../tools/dev/processes/start-until-ready.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import { aLaunch, aWorkplace, endAll, type Workplace } from './a-process.ts';

afterEach(endAll);

const start = (place: Workplace, options = {}) => startUntilReady(async () => aLaunch(place, options), place);

test('a process that dies is started again at once, and both are said', async () => {
  const place = aWorkplace();
  const { launch, running } = await start(place);
  const said: string[] = [];
  void keepRunning(launch, running, {
    ...place,
    onDeath: (name, how, pauseMs) => said.push(`${name} ${how}, again in ${pauseMs}`),
    onRestart: (name) => said.push(`${name} runs`),
  });

  process.kill(running.pid, 'SIGKILL');

  expect(await waitUntil(() => said.length === 2, { withinMs: 10_000 })).toBe(true);
  expect(said).toEqual(['api ended by SIGKILL, again in 0', 'api runs']);
  expect(place.record.pidOf('api')).not.toBe(running.pid);
  expect(identityOf(place.record.pidOf('api')!)).toBeDefined();
});

test('a process that is stuck is ended and started again, and one that only seemed so is left alone', async () => {
  const place = aWorkplace();
  const { launch, running } = await start(place);
  const said: string[] = [];
  const looks = [true, false, false, true, true];
  const isStuck = async () => looks.shift() ?? false;
  void keepRunning({ ...launch, isStuck }, running, {
    ...place,
    onDeath: (_, how) => said.push(`${how}; looks left: ${looks.length}`),
    onRestart: (name) => said.push(`${name} runs`),
    lookEveryMs: 50,
  });

  expect(await waitUntil(() => said.length === 2, { withinMs: 10_000 })).toBe(true);
  expect(said).toEqual(['answered nothing but errors, and was ended with exit code 0; looks left: 0', 'api runs']);
});

test('a process that cannot be recorded is not left running', async () => {
  const place = aWorkplace();
  let pid = 0;
  place.record.add = (started) => {
    pid = started.pid;
    throw new Error('no space left on device');
  };

  await expect(start(place)).rejects.toThrow('no space left on device');

  expect(pid).toBeGreaterThan(0);
  expect(identityOf(pid)).toBeUndefined();
});

test('who asks ends before who answers', async () => {
  const place = aWorkplace();
  const names = ['postgres', 'redis', 'worker', 'api'];
  const started = await Promise.all(names.map((name) => start(place, { name })));

  await endRecorded(place.record.file);

  const endOf = (name: string) => Number(readFileSync(place.logFile(name), 'utf8').split('\n')[1]);
  expect([...names].sort((a, b) => endOf(a) - endOf(b))).toEqual([...names].reverse());
  expect(started.map(({ running }) => identityOf(running.pid))).toEqual(names.map(() => undefined));
});

test('a process that does not end when asked is killed', async () => {
  const { running } = await start(aWorkplace(), { onSigterm: '' });

  await endProcess(running, 200);

  expect(await running.exited).toBe('ended by SIGKILL');
});

test('a frozen process ends too', async () => {
  const { running } = await start(aWorkplace());
  process.kill(running.pid, 'SIGSTOP');

  await endProcess(running, 10_000);

  expect(await running.exited).toBe('ended with exit code 0');
});

test('a pid that another process has by now is left alone', async () => {
  const { running } = await start(aWorkplace());

  await endProcess({ ...running, identity: 'of an earlier boot' }, 200);

  expect(identityOf(running.pid)).toBe(running.identity);
});

test('a component that cannot start says how it ended and what it printed', async () => {
  const place = aWorkplace();
  const broken = { name: 'redis', command: process.execPath, args: ['-e', 'throw new Error("no room")'] };

  const started = startUntilReady(async () => ({ ...broken, ready: async () => false }), place);

  await expect(started).rejects.toThrow(/redis did not start: ended with exit code 1[\s\S]*no room/);
});
