import {
  chmodSync,
  copyFileSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Print } from './print.ts';
import { readIdentity } from './processes/process-identity.ts';

/** Creates the folder of everything that a start writes, and tries to write into it. */
export function createDataFolder(folder: string): void {
  try {
    mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
    const trial = join(folder, `supervisor.json.${process.pid}`);
    writeFileSync(trial, 'x');
    rmSync(trial);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `Nothing can be written into ${folder} (${code ?? message}). Set DATA_DIR to a folder of this user.`,
    );
  }
}

const lockFile = (folder: string): string => join(folder, 'supervisor.json');

/** Whether a supervisor uses the data folder now. */
export function isLocked(folder: string): boolean {
  const holder = readHolder(lockFile(folder));
  return holder !== undefined && readIdentity(holder.pid) === holder.identity;
}

/** Lets one supervisor at a time use a data folder: two servers on the same files would ruin them. Returns the release of the lock. */
export function lockDataFolder(folder: string): () => void {
  const file = lockFile(folder);
  const ownEntry = JSON.stringify({ pid: process.pid, identity: readIdentity(process.pid) });
  for (;;) {
    try {
      writeFileSync(file, ownEntry, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder && readIdentity(holder.pid) === holder.identity)
      throw new Error(
        `It is running already: process ${holder.pid} holds ${folder}. End that one first, or set DATA_DIR to another folder.`,
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

const sticky = 0o1000;

/** The folder of PostgreSQL has an owner of its own, and PostgreSQL sets its modes. */
const postgresFolder = 'postgres';

/**
 * Makes a data folder and its files accessible to their owner only, also where an earlier start left them readable: they hold keys,
 * passwords and the data of all teams' jobs. Root lets other accounts pass through the folder, because PostgreSQL runs as one of them.
 */
export function restrictDataFolder(folder: string, print: Print): void {
  try {
    if (isOnlyForData(folder)) chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (isData(entry.name)) restrict(folder, entry);
    }
  } catch (error) {
    print(`  Other users may be able to read ${folder}: ${(error as Error).message}`);
  }
}

/** DATA_DIR may name a folder that has other uses too. */
function isOnlyForData(folder: string): boolean {
  const real = realpathSync(folder);
  return real !== homedir() && real !== dirname(real) && (statSync(real).mode & sticky) === 0;
}

/** Whether a start writes a file or folder of this name, except `postgres`. */
const isData = (name: string): boolean =>
  name !== postgresFolder &&
  /^(logs|cache|run\.json|redis\.conf|supervisor\.json|processes\.|workflow-bundle|temporal\.db|[a-z-]+-password|([a-z]+-)?master-key)/.test(
    name,
  );

function restrict(folder: string, entry: Dirent): void {
  // The mode of a link is the mode of its target.
  if (!entry.isFile() && !entry.isDirectory()) return;
  const path = join(folder, entry.name);
  const { mode } = lstatSync(path);
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  if (entry.isDirectory() && entry.name === 'logs') {
    for (const log of readdirSync(path, { withFileTypes: true })) restrict(path, log);
  }
}

const maxLogBytes = 20 * 1024 * 1024;

/**
 * Rotates each log that exceeds the limit into one earlier file, now and once a minute. The log is copied and truncated, not renamed:
 * the processes have the file open and append to it.
 */
export function rotateLogs(folder: string): void {
  rotateLargeLogs(folder);
  setInterval(() => rotateLargeLogs(folder), 60_000).unref();
}

function rotateLargeLogs(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const file = join(folder, name);
    if (statSync(file).size <= maxLogBytes) continue;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  }
}
