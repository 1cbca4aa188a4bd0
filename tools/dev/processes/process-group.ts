import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch } from './launch.ts';
import { endRecorded, ProcessRecord } from './process-record.ts';
import { startUntilReady } from './start-until-ready.ts';
import { startWatchdog } from './start-watchdog.ts';

/** Processes of a bench or of tests that belong together; gone when they are ended, or when who started them dies. */
export interface ProcessGroup {
  folder: string;
  bringUp<Made extends Launch>(makeLaunch: () => Promise<Made>): Promise<Made>;
  pidOf(name: string): number;
  logFile(name: string): string;
  end(): Promise<void>;
}

const startWithinMs = 120_000;

/** In a folder that goes with them. */
export function openProcessGroup(folder: string): ProcessGroup {
  mkdirSync(folder, { recursive: true });
  // PostgreSQL, as another user when we are root, keeps its data below it.
  chmodSync(folder, 0o711);
  const recordFile = join(folder, 'processes.json');
  const record = new ProcessRecord(recordFile);
  const release = startWatchdog(recordFile, [folder]);
  const logFile = (name: string) => join(folder, `${name}.log`);
  return {
    folder,
    logFile,
    bringUp: async (makeLaunch) =>
      (await startUntilReady(makeLaunch, { record, logFile, withinMs: startWithinMs })).launch,
    pidOf(name) {
      const pid = record.pidOf(name);
      if (pid === null) throw new Error(`${name} was not started`);
      return pid;
    },
    async end() {
      record.closed = true;
      await endRecorded(recordFile);
      await release();
    },
  };
}
