import { endProcess } from './end-process.ts';
import type { ProcessRecord } from './process-record.ts';
import { type Launch, type RunningProcess, startProcess } from './start-process.ts';

export type Restartable = {
  /** Ends the process, if it runs, and starts it with a new launch. */
  restart(): Promise<void>;
  isRunning(): boolean;
};

type Supervision = {
  logFile: (name: string) => string;
  record: ProcessRecord;
  /** Called when the process exits by itself. */
  onExit: (name: string, how: string) => void;
  onStart: () => void;
};

const endWithinMs = 5_000;

export function restartable(
  createLaunch: () => Promise<Launch>,
  { logFile, record, onExit, onStart }: Supervision,
): Restartable {
  let running: RunningProcess | undefined;
  return {
    isRunning: () => running !== undefined,
    async restart() {
      const previous = running;
      running = undefined;
      const [launch] = await Promise.all([createLaunch(), previous && endProcess(previous, endWithinMs)]);
      const started = await startProcess(launch, logFile(launch.name), record);
      running = started;
      onStart();
      void started.exited.then((how) => {
        if (running !== started || record.closed) return;
        running = undefined;
        onExit(launch.name, how);
      });
    },
  };
}
