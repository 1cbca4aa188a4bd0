import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { boundLogs } from './bound-logs.ts';
import { cacheFolder, dataFolder } from './folders.ts';
import { holdDataFolder } from './hold-data-folder.ts';
import { endPrograms } from './parts/run-program.ts';
import { keepRunning } from './processes/keep-running.ts';
import type { Launch } from './processes/launch.ts';
import { endRecorded, ProcessRecord } from './processes/process-record.ts';
import { lastLines, startUntilReady } from './processes/start-until-ready.ts';
import { startWatchdog } from './processes/start-watchdog.ts';
import { restrictDataFolder } from './restrict-data-folder.ts';
import type { RunFile } from './run-file.ts';
import { type Say, sayAloud } from './say.ts';
import { writeWhole } from './write-whole.ts';

/** One `npm start`, from taking hold of the data folder to letting go of it. */
export class Run {
  readonly folder = dataFolder();
  readonly cache: string;
  readonly say: Say = sayAloud;
  readonly record: ProcessRecord;
  readonly runFile = join(this.folder, 'run.json');
  private addresses: RunFile | undefined;
  private letGo: () => void;
  private releaseWatchdog: () => Promise<void>;

  constructor() {
    // What is written from here on, also by the programs that are run, can be read by its owner alone.
    process.umask(0o077);
    mkdirSync(join(this.folder, 'logs'), { recursive: true, mode: 0o700 });
    restrictDataFolder(this.folder, this.say);
    this.cache = cacheFolder(this.folder);
    this.letGo = holdDataFolder(this.folder);
    rmSync(this.runFile, { force: true });
    boundLogs(join(this.folder, 'logs'));
    this.record = new ProcessRecord(join(this.folder, `processes.${process.pid}.json`));
    this.releaseWatchdog = startWatchdog(this.record.file, [this.runFile]);
  }

  readonly logFile = (name: string): string => join(this.folder, 'logs', `${name}.log`);

  /** An earlier start that was killed may have left processes, which hold files that ours need. */
  async endLeftovers(): Promise<void> {
    const isRecord = (name: string) => /^processes\.\d+\.json$/.test(name) && !this.record.file.endsWith(name);
    for (const name of readdirSync(this.folder).filter(isRecord)) await endRecorded(join(this.folder, name));
  }

  /** Starts a component, waits until it answers, and starts it again whenever it dies. */
  async bringUp<Made extends Launch>(makeLaunch: () => Promise<Made>, withinMs?: number): Promise<Made> {
    const { record, logFile } = this;
    const { launch, running } = await startUntilReady(makeLaunch, { record, logFile, withinMs });
    void keepRunning(launch, running, { record, logFile, onDeath: this.sayDeath, onRestart: this.sayRestart });
    return launch;
  }

  /** From now on the file tells which process runs where, and follows every restart. */
  publish(addresses: RunFile): void {
    this.addresses = addresses;
    for (const name of Object.keys(addresses) as (keyof RunFile)[]) addresses[name].pid = this.record.pidOf(name);
    writeWhole(this.runFile, `${JSON.stringify(addresses, null, 2)}\n`);
  }

  async end(): Promise<void> {
    this.record.closed = true;
    endPrograms();
    await endRecorded(this.record.file);
    rmSync(this.runFile, { force: true });
    this.letGo();
    await this.releaseWatchdog();
  }

  private sayDeath = (name: string, how: string, pauseMs: number): void => {
    this.say(
      `${name} ${how}. Starting it again${pauseMs ? ` in ${pauseMs / 1_000} s` : ''}. ${lastLines(this.logFile(name), 5)}`,
    );
  };

  private sayRestart = (name: string, pid: number): void => {
    this.say(`${name} runs again, as process ${pid}.`);
    try {
      if (this.addresses) this.publish(this.addresses);
    } catch (error) {
      this.say(`${this.runFile} does not tell so: ${(error as Error).message}`);
    }
  };
}
