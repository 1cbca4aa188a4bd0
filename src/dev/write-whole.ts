import { renameSync, writeFileSync } from 'node:fs';

/** Whole or not at all: a reader never sees half of it. For us alone. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
