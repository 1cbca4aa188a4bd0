import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Who runs where; `pid` is null for what was configured and not started by us. */
export type RunFile = {
  api: { pid: number | null; url: string };
  worker: { pid: number | null };
  postgres: { pid: number | null; url: string };
  redis: { pid: number | null; url: string };
  temporal: { pid: number | null; address: string; ui_url: string | null };
  upstream: { pid: number | null; url: string };
};

/** Whole or not at all: a reader never sees half of it. For us alone, as the database's address has its password. */
export function writeRunFile(file: string, run: RunFile): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export const removeRunFile = (file: string): void => rmSync(file, { force: true });
