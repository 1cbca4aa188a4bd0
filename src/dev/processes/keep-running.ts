import { setTimeout as pause } from 'node:timers/promises';
import type { Launch } from './launch.ts';
import type { ProcessRecord } from './process-record.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

type Supervision = {
  logFile: (name: string) => string;
  record: ProcessRecord;
  onDeath: (name: string, how: string, pauseMs: number) => void;
  onRestart: (name: string, pid: number) => void;
};

/** At once the first time; then long enough that a process which cannot live does not use up the machine. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A process that has lived this long died of a new cause: the pauses begin anew. */
const healthyMs = 60_000;

/** Starts a process again, on the same ports, whenever it dies, until the record is closed. */
export async function keepRunning(launch: Launch, first: RunningProcess, supervision: Supervision): Promise<void> {
  const { logFile, record, onDeath, onRestart } = supervision;
  let exited = first.exited;
  let since = performance.now();
  for (let deaths = 0; ; deaths += 1) {
    const how = await exited;
    if (record.closed) return;
    if (performance.now() - since > healthyMs) deaths = 0;
    const pauseMs = pausesMs[Math.min(deaths, pausesMs.length - 1)]!;
    onDeath(launch.name, how, pauseMs);
    await pause(pauseMs);
    since = performance.now();
    try {
      const running = await startProcess(launch, logFile(launch.name), record);
      exited = running.exited;
      onRestart(launch.name, running.pid);
    } catch (error) {
      exited = Promise.resolve((error as Error).message);
    }
  }
}
