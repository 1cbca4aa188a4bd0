import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './processes/process-identity.ts';

/** Lets only one supervisor use a data folder: two servers on the same files would ruin them. Returns a function that lets go of it. */
export function holdDataFolder(folder: string): () => void {
  const file = join(folder, 'supervisor.json');
  const ours = JSON.stringify({ pid: process.pid, identity: identityOf(process.pid) });
  for (;;) {
    try {
      writeFileSync(file, ours, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder && identityOf(holder.pid) === holder.identity)
      throw new Error(
        `It runs already: process ${holder.pid} holds ${folder}. End that one first, or set DATA_DIR to another folder.`,
      );
    rmSync(file, { force: true });
  }
}

function readHolder(file: string): { pid: number; identity: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { pid: number; identity: string };
  } catch {
    return undefined;
  }
}
