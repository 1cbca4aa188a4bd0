import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch } from '../../src/dev/processes/launch.ts';
import { endRecorded, ProcessRecord } from '../../src/dev/processes/process-record.ts';
import { startUntilReady } from '../../src/dev/processes/start-until-ready.ts';
import { startWatchdog } from '../../src/dev/processes/start-watchdog.ts';

/** Processes that belong together; gone when they are ended, or when the bench dies. */
export interface Group {
  folder: string;
  bringUp<Made extends Launch>(makeLaunch: () => Promise<Made>): Promise<Made>;
  pidOf(name: string): number;
  logFile(name: string): string;
  end(): Promise<void>;
}

const startWithinMs = 120_000;

/** `toRemove`: what nobody needs afterwards. */
export function openGroup(folder: string, toRemove: string[] = []): Group {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const recordFile = join(folder, 'processes.json');
  const record = new ProcessRecord(recordFile);
  const release = startWatchdog(recordFile, toRemove);
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
