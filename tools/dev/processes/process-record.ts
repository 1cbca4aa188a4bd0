import { readFileSync, rmSync } from 'node:fs';
import { writeAtomically } from '../files.ts';
import { endProcess, type StartedProcess } from './end-process.ts';

/** The started processes, on disk. Each is recorded immediately after its start, so that a later start can end it. */
export class ProcessRecord {
  readonly file: string;
  /** When true, no process is started or restarted any more. */
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
    writeAtomically(this.file, JSON.stringify(this.processes));
  }
}

/**
 * Processes that send requests end before those that answer them: the api drains while its worker still works. `byMs` counts
 * from the start of the shutdown: time that one process does not use is available to the next, and all end within 30 s. One of several
 * of a kind has more after a hyphen, as `temporal-history-1`.
 */
const endOrder: { names: string[]; byMs: number }[] = [
  { names: ['api'], byMs: 25_000 },
  { names: ['worker'], byMs: 27_000 },
  { names: ['upstream', 'temporal', 'redis'], byMs: 28_500 },
  { names: ['postgres'], byMs: 29_500 },
];

/** Ends every process in the record and its child processes, in order. The supervisor that started them may have died. */
export async function endRecorded(file: string): Promise<void> {
  const startedAt = performance.now();
  const started = readProcessRecord(file);
  for (const { names, byMs } of endOrder) {
    const graceMs = byMs - (performance.now() - startedAt);
    await Promise.all(
      started.filter(({ name }) => names.includes(name.split('-')[0]!)).map((each) => endProcess(each, graceMs)),
    );
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
