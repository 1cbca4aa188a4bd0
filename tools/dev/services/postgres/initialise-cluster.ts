import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ownEnvironment } from '../own-environment.ts';
import { runProgram } from '../run-program.ts';
import type { PostgresLocation } from './locate-postgres.ts';

export const superuser = 'job_gateway';
export const databaseName = 'job_gateway';

/**
 * Creates the cluster as a draft, which is renamed when it is complete: a start that dies meanwhile leaves a draft, which the next start
 * removes. Without a password every local connection is trusted and nothing is synced to disk, which is for tests.
 */
export async function initialiseCluster(location: PostgresLocation, password: string | undefined): Promise<string> {
  const cluster = join(location.folder, 'data');
  for (const name of readdirSync(location.folder)) {
    if (name.startsWith('draft')) rmSync(join(location.folder, name), { recursive: true, force: true });
  }
  if (existsSync(cluster)) {
    await requireVersion(location, cluster);
    return cluster;
  }
  const draft = join(location.folder, 'draft');
  try {
    await run(location, 'initdb', [`--pgdata=${draft}`, ...initdbOptions(location, password)]);
  } finally {
    rmSync(passwordFile(location), { force: true });
  }
  const single = ['--single', '-D', draft, '-c', 'log_checkpoints=off', 'postgres'];
  await run(location, 'postgres', single, `create database ${databaseName};\n`);
  renameSync(draft, cluster);
  return cluster;
}

/** A new major version cannot read the files of an old one. */
async function requireVersion({ binaries }: PostgresLocation, cluster: string): Promise<void> {
  const made = readVersion(cluster);
  const options = { env: ownEnvironment('/'), timeoutMs: 10_000 };
  const { output } = await runProgram(join(binaries, 'bin', 'postgres'), ['--version'], options);
  const runs = /\) (\d+)/.exec(output)?.[1];
  if (made === runs) return;
  throw new Error(
    `${cluster} is ${made ? `of PostgreSQL ${made}, which PostgreSQL ${runs} cannot read` : 'no complete database'}. ` +
      'Set DATA_DIR to another folder, or remove this one and with it all data, or start the version of this code that made it.',
  );
}

function readVersion(cluster: string): string | undefined {
  try {
    return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Exists while initdb runs. */
const passwordFile = (location: PostgresLocation) => join(location.folder, 'draft-password');

function initdbOptions(location: PostgresLocation, password: string | undefined): string[] {
  const options = ['--encoding=UTF8', '--locale=C', `--username=${superuser}`];
  if (password === undefined) return [...options, '--auth=trust', '--no-sync'];
  const file = passwordFile(location);
  // The file is written by its descriptor: the folder belongs to the other account, which could replace the file of a name.
  const descriptor = openSync(file, 'wx', 0o600);
  writeSync(descriptor, password);
  if (location.user) fchownSync(descriptor, location.user.uid, location.user.gid);
  closeSync(descriptor);
  return [...options, '--auth=scram-sha-256', `--pwfile=${file}`];
}

async function run(location: PostgresLocation, program: string, args: string[], input?: string): Promise<void> {
  const { ok, output } = await runProgram(join(location.binaries, 'bin', program), args, {
    input,
    env: ownEnvironment('/'),
    cwd: location.folder,
    timeoutMs: 120_000,
    uid: location.user?.uid,
    gid: location.user?.gid,
  });
  if (!ok) throw new Error(`PostgreSQL could not be set up in ${location.folder}: output of ${program}:\n${output}`);
}
