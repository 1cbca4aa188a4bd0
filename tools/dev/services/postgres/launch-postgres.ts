import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { endProcess } from '../../processes/end-process.ts';
import { readCommand, readIdentity } from '../../processes/process-identity.ts';
import type { Launch } from '../../processes/start-process.ts';
import { waitUntil } from '../../processes/wait-until.ts';
import { freePort } from '../free-port.ts';
import { ownEnvironment } from '../own-environment.ts';
import { databaseName, initialiseCluster, superuser } from './initialise-cluster.ts';
import { locatePostgres } from './locate-postgres.ts';

export type PostgresLaunch = Launch & { url: string; folder: string; accountName?: string };

/** Durable data is synced to disk. What is not durable is for development and tests: fast, and lost when the machine crashes. */
export async function launchPostgres(
  dataFolder: string,
  { password, isDurable }: { password?: string; isDurable: boolean },
): Promise<PostgresLaunch> {
  const location = locatePostgres(dataFolder);
  const cluster = await initialiseCluster(location, password);
  const port = await freePort();
  const settings = [
    ['port', port],
    ['listen_addresses', '127.0.0.1'],
    ['unix_socket_directories', ''],
    ['max_connections', 200],
    ['shared_buffers', '128MB'],
    ['log_checkpoints', 'off'],
    ...(isDurable
      ? []
      : [
          ['fsync', 'off'],
          ['synchronous_commit', 'off'],
          ['full_page_writes', 'off'],
        ]),
  ];
  const credentials = password === undefined ? superuser : `${superuser}:${password}`;
  const url = `postgresql://${credentials}@127.0.0.1:${port}/${databaseName}`;
  return {
    name: 'postgres',
    command: join(location.binaries, 'bin', 'postgres'),
    args: ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: ownEnvironment('/'),
    cwd: location.folder,
    user: location.user && { uid: location.user.uid, gid: location.user.gid },
    // The "fast" shutdown ends open connections and does not wait for them.
    stopSignal: 'SIGINT',
    prepare: () => endPredecessor(cluster),
    ready: () => acceptsConnections(url),
    url,
    folder: location.folder,
    accountName: location.user?.name,
  };
}

const lockFile = (cluster: string) => join(cluster, 'postmaster.pid');

/** The lock file is no evidence: one that a crash left has `ready` in it until the recovering server has written its own. */
export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}

const reapedWithinMs = 10_000;

/**
 * PostgreSQL removes the lock file of a dead server by itself, after the last of its processes has ended. It cannot handle three cases:
 * the server is still running, started by a supervisor that died; it was killed just now and its parent has not reaped it yet, so that
 * PostgreSQL regards it as running; or its pid belongs to another program now.
 */
async function endPredecessor(cluster: string): Promise<void> {
  const pid = readLockPid(cluster);
  if (!pid) return;
  const identity = readIdentity(pid);
  if (!identity) return void (await waitUntil(() => !isListed(pid), { withinMs: reapedWithinMs }));
  if (!readCommand(pid).includes(cluster)) return rmSync(lockFile(cluster), { force: true });
  await endProcess({ name: 'postgres', pid, identity, stopSignal: 'SIGINT' }, 10_000);
}

/** A process that has ended stays in the process table until its parent reaps it. */
function isListed(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readLockPid(cluster: string): number | undefined {
  try {
    return Number(readFileSync(lockFile(cluster), 'utf8').split('\n')[0]) || undefined;
  } catch {
    return undefined;
  }
}
