import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessRecord } from './process-record.ts';
import { type Launch, type RunningProcess, startProcess } from './start-process.ts';

type Supervision = {
  logFile: (name: string) => string;
  record: ProcessRecord;
  onExit: (name: string, how: string, pauseMs: number) => void;
  onRestart: (name: string, pid: number) => void;
};

/** The backoff is none at first, then so long that a process which fails at every start does not load the machine. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** The exit of a process that has run for so long has a new cause, and the backoff starts again. */
const healthyMs = 60_000;

/** Restarts a process, on the same ports, whenever it exits, until the record is closed. */
export async function keepRunning(launch: Launch, first: RunningProcess, supervision: Supervision): Promise<void> {
  const { logFile, record, onExit, onRestart } = supervision;
  let ended = first.exited;
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
      ended = running.exited;
      onRestart(launch.name, running.pid);
    } catch (error) {
      ended = Promise.resolve((error as Error).message);
    }
  }
}
