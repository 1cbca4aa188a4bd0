import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { endProcess, type StartedProcess } from './end-process.ts';

/** What was started is on disk before anything else happens, so that whoever comes after us can end it. */
export class ProcessRecord {
  readonly file: string;
  #processes: StartedProcess[] = [];

  constructor(file: string) {
    this.file = file;
  }

  add(started: StartedProcess): void {
    this.#processes = [...this.#processes.filter((each) => each.name !== started.name), started];
    this.#write();
  }

  remove(pid: number): void {
    this.#processes = this.#processes.filter((each) => each.pid !== pid);
    this.#write();
  }

  clear(): void {
    this.#processes = [];
    rmSync(this.file, { force: true });
  }

  #write(): void {
    const draft = `${this.file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(this.#processes), { mode: 0o600 });
    renameSync(draft, this.file);
  }
}

export function readProcessRecord(file: string): StartedProcess[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StartedProcess[];
  } catch {
    return [];
  }
}

/** Ends what a killed predecessor left running, the last started first: the api before the database under it. */
export async function endLeftovers(file: string, graceMs: number): Promise<void> {
  for (const started of readProcessRecord(file).reverse()) await endProcess(started, graceMs);
}
