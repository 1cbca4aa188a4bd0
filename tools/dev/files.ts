import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file completely or not at all: no reader sees half of it. Only its owner can read it. */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** A secret that the first start creates and later starts reuse: what was encrypted with it must stay readable. */
export function readOrCreateSecret(file: string, prefix = ''): string {
  try {
    writeFileSync(file, `${prefix}${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty: remove it, or put the secret back.`);
  return secret;
}
