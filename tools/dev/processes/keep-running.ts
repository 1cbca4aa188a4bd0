import { setTimeout as pause } from 'node:timers/promises';
import { endProcess } from './end-process.ts';
import type { Launch } from './launch.ts';
import type { ProcessRecord } from './process-record.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

type Supervision = {
  logFile: (name: string) => string;
  record: ProcessRecord;
  onDeath: (name: string, how: string, pauseMs: number) => void;
  onRestart: (name: string, pid: number) => void;
  lookEveryMs?: number;
};

/** At once the first time; then long enough that a process which cannot live does not use up the machine. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A process that has lived this long died of a new cause: the pauses begin anew. */
const healthyMs = 60_000;

/** Once may be an accident. */
const stuckLooks = 2;

/** Starts a process again, on the same ports, whenever it dies or is stuck, until the record is closed. */
export async function keepRunning(launch: Launch, first: RunningProcess, supervision: Supervision): Promise<void> {
  const { logFile, record, onDeath, onRestart, lookEveryMs = 5_000 } = supervision;
  let ended = endOf(launch, first, lookEveryMs);
  let since = performance.now();
  for (let deaths = 0; ; deaths += 1) {
    const how = await ended;
    if (record.closed) return;
    if (performance.now() - since > healthyMs) deaths = 0;
    const pauseMs = pausesMs[Math.min(deaths, pausesMs.length - 1)]!;
    onDeath(launch.name, how, pauseMs);
    await pause(pauseMs);
    since = performance.now();
    try {
      const running = await startProcess(launch, logFile(launch.name), record);
      ended = endOf(launch, running, lookEveryMs);
      onRestart(launch.name, running.pid);
    } catch (error) {
      ended = Promise.resolve((error as Error).message);
    }
  }
}

/** Resolves with how it ended, by itself or because it was stuck. */
async function endOf({ isStuck }: Launch, running: RunningProcess, lookEveryMs: number): Promise<string> {
  if (!isStuck) return running.exited;
  let looks = 0;
  const timer = setInterval(async () => {
    looks = (await isStuck().catch(() => false)) ? looks + 1 : 0;
    if (looks < stuckLooks) return;
    clearInterval(timer);
    await endProcess(running, 5_000);
  }, lookEveryMs);
  const how = await running.exited;
  clearInterval(timer);
  return looks < stuckLooks ? how : `answered nothing but errors, and was ${how}`;
}
