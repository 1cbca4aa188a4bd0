import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file completely or not at all: a reader never sees half of it. Readable by us alone. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
