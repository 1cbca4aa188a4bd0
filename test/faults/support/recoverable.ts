import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { cacheFolder } from '../../../tools/dev/folders.ts';
import { openProcessGroup } from '../../../tools/dev/processes/process-group.ts';
import { launchPostgres } from '../../../tools/dev/services/postgres/launch-postgres.ts';
import { locatePostgres, type PostgresLocation } from '../../../tools/dev/services/postgres/locate-postgres.ts';
import { findTemporal } from '../../../tools/dev/services/temporal/find-temporal.ts';
import { launchTemporal } from '../../../tools/dev/services/temporal/launch-temporal.ts';
import { until } from '../../support/until.ts';

/** PostgreSQL and Temporal of one installation, with data that can be backed up and restored. */
export interface Servers {
  databaseUrl: string;
  temporalAddress: string;
  pool: Pool;
  location: PostgresLocation;
  folder: string;
  pidOf(name: 'postgres' | 'temporal'): number;
  close(): Promise<void>;
}

const settingsOf = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** `prepare` writes into the folder before the servers start. */
async function startServers(
  settings: (location: PostgresLocation) => Record<string, string>,
  prepare: (location: PostgresLocation, folder: string) => void = () => undefined,
): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-recovery-'));
  const group = openProcessGroup(folder);
  const location = locatePostgres(folder);
  prepare(location, folder);
  const program = await findTemporal(cacheFolder(folder), () => undefined);
  const postgres = await group.start(async () => {
    const launch = await launchPostgres(folder, { isDurable: true });
    return { ...launch, args: [...launch.args, ...settingsOf(settings(location))] };
  });
  const temporal = await group.start(() => launchTemporal(program, folder, { withUi: false, isDurable: true }));
  const pool = new Pool({ connectionString: postgres.url, max: 4 });
  pool.on('error', () => undefined);
  return {
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    pool,
    location,
    folder,
    pidOf: group.pidOf,
    async close() {
      await pool.end();
      await group.end();
    },
  };
}

const archiveOf = ({ folder }: PostgresLocation) => join(folder, 'archive');
const baseOf = ({ folder }: PostgresLocation) => join(folder, 'base');

/** Servers that archive their WAL. */
export const startArchivingServers = (): Promise<Servers> =>
  startServers(
    (location) => ({ archive_mode: 'on', archive_command: `cp %p ${archiveOf(location)}/%f` }),
    (location) => {
      mkdirSync(archiveOf(location));
      if (location.user) chownSync(archiveOf(location), location.user.uid, location.user.gid);
    },
  );

/** A base back-up, as `pg_basebackup` makes one, by PostgreSQL's own functions for it: the bundled server comes without that program. */
export async function backUpBase({ pool, location }: Servers): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`select pg_backup_start('rehearsal', true)`);
    cpSync(join(location.folder, 'data'), baseOf(location), { recursive: true, verbatimSymlinks: true });
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    writeFileSync(join(baseOf(location), 'backup_label'), rows[0].labelfile);
  } finally {
    client.release();
  }
}

const temporalFiles = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('temporal.db'));

/** Copies Temporal's database while its process is stopped, as a snapshot of its disk. */
export function snapshotTemporal({ folder, pidOf }: Servers): string {
  const snapshot = mkdtempSync(join(tmpdir(), 'job-gateway-snapshot-'));
  process.kill(pidOf('temporal'), 'SIGSTOP');
  for (const name of temporalFiles(folder)) cpSync(join(folder, name), join(snapshot, name));
  process.kill(pidOf('temporal'), 'SIGCONT');
  return snapshot;
}

/** Archives all WAL up to here, and returns when that is done. */
export async function archiveWal({ pool }: Servers): Promise<void> {
  // Recovery to a time needs a commit after it.
  await pool.query('create table is_over ()');
  const { rows } = await pool.query('select pg_walfile_name(pg_switch_wal()) as name');
  const archived = async () =>
    (await pool.query('select last_archived_wal >= $1 as is_done from pg_stat_archiver', [rows[0].name])).rows[0]
      .is_done;
  await until(archived, Boolean, 30_000);
}

const chownAll = (folder: string, { uid, gid }: { uid: number; gid: number }): void => {
  for (const name of ['', ...(readdirSync(folder, { recursive: true }) as string[])])
    chownSync(join(folder, name), uid, gid);
};

/** New servers: PostgreSQL from the base back-up and the WAL up to a time, Temporal from a snapshot, or empty. */
export async function restoreServers(of: Servers, to: Date, snapshot: string | undefined): Promise<Servers> {
  const restored = await startServers(
    () => ({
      restore_command: `cp ${archiveOf(of.location)}/%f %p`,
      // The setting does not take the letters of ISO 8601.
      recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
    (location, folder) => {
      const data = join(location.folder, 'data');
      cpSync(baseOf(of.location), data, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (name) => !name.endsWith('postmaster.pid'),
      });
      writeFileSync(join(data, 'recovery.signal'), '');
      // PostgreSQL accepts no other.
      chmodSync(data, 0o700);
      if (location.user) chownAll(data, location.user);
      if (snapshot) for (const name of temporalFiles(snapshot)) cpSync(join(snapshot, name), join(folder, name));
    },
  );
  const isPrimary = async () =>
    !(await restored.pool.query('select pg_is_in_recovery() as is_standby')).rows[0].is_standby;
  await until(isPrimary, Boolean, 60_000);
  return restored;
}
