import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A prepared statement of the gateway, with the time of its end in milliseconds since the epoch. */
export interface LoggedStatement {
  name: string;
  at: number;
}

/** The time since the epoch with milliseconds, then the application name of the connection. */
const prefix = '%n|%a|';
const line = /^(\d+\.\d{3})\|job-gateway[^|]*\|LOG: +duration: [\d.]+ ms +execute ([^:]+):/gm;

/** The settings apply from the next statement of each connection, also of open ones. */
async function setLogging(databaseUrl: string, settings: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const setting of settings) await client.query(`alter system ${setting}`);
  await client.query('select pg_reload_conf()');
  await client.end();
  await pause(500);
}

/** The statements during `work`, from the log of PostgreSQL. */
export async function withLoggedStatements(
  databaseUrl: string,
  logFile: string,
  work: () => Promise<void>,
): Promise<LoggedStatement[]> {
  await setLogging(databaseUrl, [`set log_line_prefix = '${prefix}'`, 'set log_min_duration_statement = 0']);
  const begin = statSync(logFile).size;
  await work();
  await setLogging(databaseUrl, ['reset log_min_duration_statement']);
  const log = readFileSync(logFile).subarray(begin).toString();
  // Half a millisecond is the average of the fraction that the log cuts off.
  return [...log.matchAll(line)].map(([, seconds, name]) => ({ name: name!, at: Number(seconds) * 1_000 + 0.5 }));
}
