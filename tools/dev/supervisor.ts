import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDataFolder, lockDataFolder, restrictDataFolder, rotateLogs } from './data-folder.ts';
import { writeAtomically } from './files.ts';
import { cacheFolder, dataFolder } from './folders.ts';
import { type Print, printLine } from './print.ts';
import { keepRunning } from './processes/keep-running.ts';
import { endRecorded, ProcessRecord } from './processes/process-record.ts';
import { type Restartable, restartable } from './processes/restartable.ts';
import type { Launch } from './processes/start-process.ts';
import { lastLines, startUntilReady } from './processes/start-until-ready.ts';
import { startWatchdog } from './processes/start-watchdog.ts';
import { endPrograms } from './services/run-program.ts';

/**
 * The content of `run.json`: which process runs where. `pid` is null for a service that was configured and not started here. The
 * addresses of database and Redis contain their passwords.
 */
export type RunFile = {
  api: { pid: number | null; url: string };
  worker: { pid: number | null };
  postgres: { pid: number | null; url: string };
  redis: { pid: number | null; url: string };
  temporal: { pid: number | null; address: string; ui_url: string | null };
  upstream: { pid: number | null; url: string };
};

/** Starts and restarts the processes of one `npm start`. It locks the data folder from its creation to `end`. */
export class Supervisor {
  readonly folder: string;
  readonly cache: string;
  readonly print: Print = printLine;
  readonly record: ProcessRecord;
  readonly runFile: string;
  private addresses: Partial<RunFile> | undefined;
  private unlock: () => void;
  private releaseWatchdog: () => Promise<void>;

  constructor(folder = dataFolder()) {
    this.folder = folder;
    this.runFile = join(folder, 'run.json');
    // Files that are created from here on, also by child processes, can be read by their owner only.
    process.umask(0o077);
    createDataFolder(this.folder);
    restrictDataFolder(this.folder, this.print);
    this.cache = cacheFolder(this.folder);
    this.unlock = lockDataFolder(this.folder);
    rmSync(this.runFile, { force: true });
    rotateLogs(join(this.folder, 'logs'));
    this.record = new ProcessRecord(join(this.folder, `processes.${process.pid}.json`));
    this.releaseWatchdog = startWatchdog(this.record.file, [this.runFile]);
  }

  readonly logFile = (name: string): string => join(this.folder, 'logs', `${name}.log`);

  /** Ends processes of an earlier start that was killed: they have files open that this start needs. */
  async endLeftovers(): Promise<void> {
    const isRecord = (name: string) => /^processes\.\d+\.json$/.test(name) && !this.record.file.endsWith(name);
    for (const name of readdirSync(this.folder).filter(isRecord)) await endRecorded(join(this.folder, name));
  }

  /** Starts a component, waits until it is ready, and restarts it whenever it exits. */
  async start<Made extends Launch>(createLaunch: () => Promise<Made>, withinMs?: number): Promise<Made> {
    const { record, logFile } = this;
    const { launch, running } = await startUntilReady(createLaunch, { record, logFile, withinMs });
    void keepRunning(launch, running, { record, logFile, onExit: this.printExit, onRestart: this.onRestart });
    return launch;
  }

  /** A component that is restarted when its code has changed, and stays away after an exit until then. */
  restartable(createLaunch: () => Promise<Launch>): Restartable {
    const { record, logFile } = this;
    const onExit = (name: string, how: string) =>
      this.print(`${name} ${how}. The next change of a file starts it again. ${lastLines(logFile(name), 25)}`);
    return restartable(createLaunch, { record, logFile, onExit, onStart: this.publishAgain });
  }

  /** Writes `run.json`, also again after each restart. */
  publish(addresses: Partial<RunFile>): void {
    this.addresses = addresses;
    for (const [name, entry] of Object.entries(addresses)) entry.pid = this.record.pidOf(name);
    writeAtomically(this.runFile, `${JSON.stringify(addresses, null, 2)}\n`);
  }

  async end(): Promise<void> {
    this.record.closed = true;
    endPrograms();
    await endRecorded(this.record.file);
    rmSync(this.runFile, { force: true });
    this.unlock();
    await this.releaseWatchdog();
  }

  private printExit = (name: string, how: string, pauseMs: number): void => {
    this.print(
      `${name} ${how}. Restarting it${pauseMs ? ` in ${pauseMs / 1_000} s` : ''}. ${lastLines(this.logFile(name), 5)}`,
    );
  };

  private onRestart = (name: string, pid: number): void => {
    this.print(`${name} is running again, as process ${pid}.`);
    this.publishAgain();
  };

  private publishAgain = (): void => {
    try {
      if (this.addresses) this.publish(this.addresses);
    } catch (error) {
      this.print(`${this.runFile} could not be updated: ${(error as Error).message}`);
    }
  };
}
