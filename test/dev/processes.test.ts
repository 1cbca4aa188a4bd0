import { readFileSync } from 'node:fs';
import { endProcess } from '../../tools/dev/processes/end-process.ts';
import { keepRunning } from '../../tools/dev/processes/keep-running.ts';
import { readIdentity } from '../../tools/dev/processes/process-identity.ts';
import { endRecorded } from '../../tools/dev/processes/process-record.ts';
import { startUntilReady } from '../../tools/dev/processes/start-until-ready.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import { createLaunch, createWorkspace, removeWorkspaces, type Workspace } from './workspace.ts';

afterEach(removeWorkspaces);

const start = (workspace: Workspace, options = {}) =>
  startUntilReady(async () => createLaunch(workspace, options), workspace);

test('a process that is killed is restarted at once, and both events are reported', async () => {
  const workspace = createWorkspace();
  const { launch, running } = await start(workspace);
  const events: string[] = [];
  void keepRunning(launch, running, {
    ...workspace,
    onExit: (name, how, pauseMs) => events.push(`${name} ${how}, again in ${pauseMs}`),
    onRestart: (name) => events.push(`${name} runs`),
  });

  process.kill(running.pid, 'SIGKILL');

  expect(await waitUntil(() => events.length === 2, { withinMs: 10_000 })).toBe(true);
  expect(events).toEqual(['api ended by SIGKILL, again in 0', 'api runs']);
  expect(workspace.record.pidOf('api')).not.toBe(running.pid);
  expect(readIdentity(workspace.record.pidOf('api')!)).toBeDefined();
});

test('a process that announces itself is not ready while another answers in its place', async () => {
  const workspace = createWorkspace();
  const silent = { ...createLaunch(workspace), announces: true, ready: async () => true };
  const speaking = { ...silent, args: ['-e', `process.send('ready'); ${silent.args[1]}`] };
  const attempts = [{ ...silent, args: ['-e', 'process.exit(1)'] }, speaking];

  const { launch, running } = await startUntilReady(async () => attempts.shift()!, workspace);

  expect(launch).toBe(speaking);
  expect(readIdentity(running.pid)).toBe(running.identity);
  await expect(startUntilReady(async () => silent, { ...workspace, withinMs: 500 })).rejects.toThrow('not ready');
});

test('a process that cannot be recorded is ended', async () => {
  const workspace = createWorkspace();
  let pid = 0;
  workspace.record.add = (started) => {
    pid = started.pid;
    throw new Error('no space left on device');
  };

  await expect(start(workspace)).rejects.toThrow('no space left on device');

  expect(pid).toBeGreaterThan(0);
  expect(readIdentity(pid)).toBeUndefined();
});

test('api and worker end before the services that they use', async () => {
  const workspace = createWorkspace();
  const names = ['postgres', 'redis', 'worker', 'api'];
  const started = await Promise.all(names.map((name) => start(workspace, { name })));

  await endRecorded(workspace.record.file);

  const endOf = (name: string) => Number(readFileSync(workspace.logFile(name), 'utf8').split('\n')[1]);
  expect([...names].sort((a, b) => endOf(a) - endOf(b))).toEqual([...names].reverse());
  expect(started.map(({ running }) => readIdentity(running.pid))).toEqual(names.map(() => undefined));
});

test('a process that ignores SIGTERM is killed after the grace period', async () => {
  const { running } = await start(createWorkspace(), { onSigterm: '' });

  await endProcess(running, 200);

  expect(await running.exited).toBe('ended by SIGKILL');
});

test('a process that is stopped by SIGSTOP ends in good order', async () => {
  const { running } = await start(createWorkspace());
  process.kill(running.pid, 'SIGSTOP');

  await endProcess(running, 10_000);

  expect(await running.exited).toBe('ended with exit code 0');
});

test('a process is not ended by a pid whose start time differs', async () => {
  const { running } = await start(createWorkspace());

  await endProcess({ ...running, identity: 'of an earlier boot' }, 200);

  expect(readIdentity(running.pid)).toBe(running.identity);
});

test('the error of a component that cannot start has its exit code and its output', async () => {
  const workspace = createWorkspace();
  const broken = { name: 'redis', command: process.execPath, args: ['-e', 'throw new Error("no room")'] };

  const started = startUntilReady(async () => ({ ...broken, ready: async () => false }), workspace);

  await expect(started).rejects.toThrow(/redis did not start: ended with exit code 1[\s\S]*no room/);
});
