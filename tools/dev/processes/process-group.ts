import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endRecorded, ProcessRecord } from './process-record.ts';
import type { Launch } from './start-process.ts';
import { startUntilReady } from './start-until-ready.ts';
import { startWatchdog } from './start-watchdog.ts';

/** Processes of a benchmark or of tests that belong together. They end with `end`, or when the process that started them dies. */
export interface ProcessGroup {
  folder: string;
  start<Made extends Launch>(createLaunch: () => Promise<Made>): Promise<Made>;
  pidOf(name: string): number;
  logFile(name: string): string;
  end(): Promise<void>;
}

const startWithinMs = 120_000;

/** The group writes into the folder, and removes it at its end. */
export function openProcessGroup(folder: string): ProcessGroup {
  mkdirSync(folder, { recursive: true });
  // PostgreSQL has its data in it, and runs as another user when we are root.
  chmodSync(folder, 0o711);
  const recordFile = join(folder, 'processes.json');
  const record = new ProcessRecord(recordFile);
  const release = startWatchdog(recordFile, [folder]);
  const logFile = (name: string) => join(folder, `${name}.log`);
  return {
    folder,
    logFile,
    start: async (createLaunch) =>
      (await startUntilReady(createLaunch, { record, logFile, withinMs: startWithinMs })).launch,
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
