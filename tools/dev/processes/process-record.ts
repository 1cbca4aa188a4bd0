import { readFileSync, rmSync } from 'node:fs';
import { writeWhole } from '../write-whole.ts';
import { endProcess, type StartedProcess } from './end-process.ts';

/** Each started process is recorded on disk before anything else happens, so that a later start can end it. */
export class ProcessRecord {
  readonly file: string;
  /** Once true, no process is started any more, and none that dies is started again. */
  closed = false;
  private processes: StartedProcess[] = [];

  constructor(file: string) {
    this.file = file;
  }

  add(started: StartedProcess): void {
    this.processes = [...this.processes.filter((each) => each.name !== started.name), started];
    this.write();
  }

  remove(pid: number): void {
    this.processes = this.processes.filter((each) => each.pid !== pid);
    this.write();
  }

  pidOf(name: string): number | null {
    return this.processes.find((each) => each.name === name)?.pid ?? null;
  }

  private write(): void {
    writeWhole(this.file, JSON.stringify(this.processes));
  }
}

/**
 * Processes that send requests end before those that answer them: the api drains while its worker still works. `byMs` counts
 * from the beginning of the end, so that a process leaves its unused time to the next one, and all are gone within 30 s.
 */
const endOrder: { names: string[]; byMs: number }[] = [
  { names: ['api'], byMs: 21_000 },
  { names: ['worker'], byMs: 25_000 },
  { names: ['upstream', 'temporal', 'redis'], byMs: 27_000 },
  { names: ['postgres'], byMs: 29_000 },
];

/** Ends every process in the record, in order, with its child processes, also those that a supervisor which died left running. */
export async function endRecorded(file: string): Promise<void> {
  const began = performance.now();
  const started = readProcessRecord(file);
  for (const { names, byMs } of endOrder) {
    const graceMs = byMs - (performance.now() - began);
    await Promise.all(started.filter(({ name }) => names.includes(name)).map((each) => endProcess(each, graceMs)));
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
