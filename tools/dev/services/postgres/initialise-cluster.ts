import { closeSync, existsSync, fchownSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import type { PostgresPlace } from './place-postgres.ts';

export const superuser = 'job_gateway';
export const databaseName = 'job_gateway';

/** Without the caller's locale and PG* variables, which would change what initdb and postgres do. */
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/bin:/bin', TZ: 'UTC' };

/**
 * Creates the cluster as a draft, which is renamed when it is complete: a start that dies meanwhile leaves a draft, which the next start
 * removes. Without a password every local connection is trusted and nothing is synced to disk, which is for tests.
 */
export async function initialiseCluster(place: PostgresPlace, password: string | undefined): Promise<string> {
  const cluster = join(place.folder, 'data');
  for (const name of readdirSync(place.folder)) {
    if (name.startsWith('draft')) rmSync(join(place.folder, name), { recursive: true, force: true });
  }
  if (existsSync(cluster)) return cluster;
  const draft = join(place.folder, 'draft');
  try {
    await run(place, 'initdb', [`--pgdata=${draft}`, ...initdbOptions(place, password)]);
  } finally {
    rmSync(passwordFile(place), { force: true });
  }
  const single = ['--single', '-D', draft, '-c', 'log_checkpoints=off', 'postgres'];
  await run(place, 'postgres', single, `create database ${databaseName};\n`);
  renameSync(draft, cluster);
  return cluster;
}

/** Exists while initdb runs. */
const passwordFile = (place: PostgresPlace) => join(place.folder, 'draft-password');

function initdbOptions(place: PostgresPlace, password: string | undefined): string[] {
  const options = ['--encoding=UTF8', '--locale=C', `--username=${superuser}`];
  if (password === undefined) return [...options, '--auth=trust', '--no-sync'];
  const file = passwordFile(place);
  // By its descriptor: the folder belongs to the other account, which could replace the file of a name.
  const descriptor = openSync(file, 'wx', 0o600);
  writeSync(descriptor, password);
  if (place.user) fchownSync(descriptor, place.user.uid, place.user.gid);
  closeSync(descriptor);
  return [...options, '--auth=scram-sha-256', `--pwfile=${file}`];
}

async function run(place: PostgresPlace, program: string, args: string[], input?: string): Promise<void> {
  const { ok, output } = await runProgram(join(place.binaries, 'bin', program), args, {
    input,
    env: postgresEnvironment,
    cwd: place.folder,
    timeoutMs: 120_000,
    uid: place.user?.uid,
    gid: place.user?.gid,
  });
  if (!ok) throw new Error(`PostgreSQL could not be set up in ${place.folder}: output of ${program}:\n${output}`);
}
