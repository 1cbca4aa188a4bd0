import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { endProcess, type StartedProcess } from './end-process.ts';

/** What was started is on disk before anything else happens, so that whoever comes after us can end it. */
export class ProcessRecord {
  readonly file: string;
  /** Once true, nothing is started any more, and nothing that dies is started again. */
  closed = false;
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

  pidOf(name: string): number | null {
    return this.#processes.find((each) => each.name === name)?.pid ?? null;
  }

  #write(): void {
    const draft = `${this.file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(this.#processes), { mode: 0o600 });
    renameSync(draft, this.file);
  }
}

/** Who asks goes before who answers: the api drains while its worker still works. The sum of the bounds is under 30 s. */
const endOrder = { api: 8_000, worker: 8_000, upstream: 1_000, temporal: 3_000, redis: 1_000, postgres: 4_000 };

/** Ends everything in the record, in order; what it had started and a predecessor left running included. */
export async function endRecorded(file: string): Promise<void> {
  const started = readProcessRecord(file);
  for (const [name, graceMs] of Object.entries(endOrder)) {
    await Promise.all(started.filter((each) => each.name === name).map((each) => endProcess(each, graceMs)));
  }
  rmSync(file, { force: true });
}

function readProcessRecord(file: string): StartedProcess[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StartedProcess[];
  } catch {
    return [];
  }
}
