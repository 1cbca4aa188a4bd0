import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** A secret made at the first start and kept ever after: what is encrypted with it must stay readable. */
export function keptSecret(file: string, prefix = ''): string {
  try {
    writeFileSync(file, `${prefix}${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty: remove it, or put the secret back.`);
  return secret;
}
