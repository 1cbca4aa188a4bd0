import { setTimeout as pause } from 'node:timers/promises';
import { endProcess } from './end-process.ts';
import type { ProcessRecord } from './process-record.ts';
import { type Launch, type RunningProcess, startProcess } from './start-process.ts';

type Supervision = {
  logFile: (name: string) => string;
  record: ProcessRecord;
  onExit: (name: string, how: string, pauseMs: number) => void;
  onRestart: (name: string, pid: number) => void;
  probeEveryMs?: number;
};

/** The backoff is none at first, then so long that a process which fails at every start does not load the machine. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** The exit of a process that has run for so long has a new cause, and the backoff starts again. */
const healthyMs = 60_000;

/** A process is stuck after so many failed probes in a row: one may fail by chance. */
const stuckProbes = 2;

/** Restarts a process, on the same ports, whenever it exits or is stuck, until the record is closed. */
export async function keepRunning(launch: Launch, first: RunningProcess, supervision: Supervision): Promise<void> {
  const { logFile, record, onExit, onRestart, probeEveryMs = 5_000 } = supervision;
  let ended = awaitEnd(launch, first, probeEveryMs);
  let since = performance.now();
  for (let exits = 0; ; exits += 1) {
    const how = await ended;
    if (record.closed) return;
    if (performance.now() - since > healthyMs) exits = 0;
    const pauseMs = pausesMs[Math.min(exits, pausesMs.length - 1)]!;
    onExit(launch.name, how, pauseMs);
    await pause(pauseMs);
    since = performance.now();
    try {
      const running = await startProcess(launch, logFile(launch.name), record);
      ended = awaitEnd(launch, running, probeEveryMs);
      onRestart(launch.name, running.pid);
    } catch (error) {
      ended = Promise.resolve((error as Error).message);
    }
  }
}

/** Resolves with how the process ended, by itself or because it was stuck. */
async function awaitEnd({ isStuck }: Launch, running: RunningProcess, probeEveryMs: number): Promise<string> {
  if (!isStuck) return running.exited;
  let failedProbes = 0;
  const timer = setInterval(async () => {
    failedProbes = (await isStuck().catch(() => false)) ? failedProbes + 1 : 0;
    if (failedProbes < stuckProbes) return;
    clearInterval(timer);
    await endProcess(running, 5_000);
  }, probeEveryMs);
  const how = await running.exited;
  clearInterval(timer);
  return failedProbes < stuckProbes ? how : `answered nothing but errors, and was ${how}`;
}
