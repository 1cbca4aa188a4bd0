import { readFileSync, rmSync } from 'node:fs';
import { writeWhole } from '../write-whole.ts';
import { endProcess, type StartedProcess } from './end-process.ts';

/** What was started is on disk before anything else happens, so that whoever comes after us can end it. */
export class ProcessRecord {
  readonly file: string;
  /** Once true, nothing is started any more, and nothing that dies is started again. */
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
 * Who asks goes before who answers: the api drains while its worker still works. `byMs` counts from the beginning of the end,
 * so that what one leaves of its time is the next one's, and all are gone within 30 s.
 */
const endOrder: { names: string[]; byMs: number }[] = [
  { names: ['api'], byMs: 21_000 },
  { names: ['worker'], byMs: 25_000 },
  { names: ['upstream', 'temporal', 'redis'], byMs: 27_000 },
  { names: ['postgres'], byMs: 29_000 },
];

/** Ends everything in the record, in order; what it had started and a predecessor left running included. */
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
