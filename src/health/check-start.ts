import type { Config } from '../config.ts';
import { findDatabaseProblems } from '../db/connection/find-database-problems.ts';
import type { Findings } from '../domain/findings.ts';
import { CannotStart } from '../errors.ts';
import type { Log } from '../log.ts';
import { findRedisProblems } from '../redis/find-redis-problems.ts';
import { openTemporal } from '../temporal/connection/open-temporal.ts';

/** The database is the only dependency without which a process does not start. */
const databaseTimeoutMs = 3_000;
/** A server without any response is noticed after 2 s. Search attributes that were made are in use after 15 s at the latest. */
const temporalTimeoutMs = 20_000;

async function prepareTemporal(config: Config, log: Log): Promise<Findings> {
  const temporal = openTemporal(config, log);
  try {
    const { made, problem } = await temporal.prepare(temporalTimeoutMs);
    if (made.length > 0) log.info({ made }, 'temporal: search attributes made');
    return { problems: problem === undefined ? [] : [`${temporal.address}: ${problem}`], warnings: [] };
  } catch {
    return { problems: [], warnings: [`${temporal.address} does not respond: ${await temporal.explainSilence()}`] };
  } finally {
    // Its last retry is waited for.
    void temporal.close();
  }
}

/**
 * Checks what a process needs of PostgreSQL, Redis and Temporal before it opens its own connections, so that a mistake of the
 * set-up is one sentence at the start and not an error of each call. What an answer proves to be wrong throws `CannotStart`; what
 * does not respond is a warning, because it may come back. The search attributes are made where the server permits that:
 * decision 98.
 */
export async function checkStart(config: Config, log: Log): Promise<void> {
  const findings = await Promise.all([
    findDatabaseProblems(config.DATABASE_URL, databaseTimeoutMs),
    findRedisProblems(config.REDIS_URL),
    prepareTemporal(config, log),
  ]);
  for (const problem of findings.flatMap(({ warnings }) => warnings)) log.warn({ problem }, 'start: warning');
  const problems = findings.flatMap(({ problems }) => problems);
  if (problems.length > 0) throw new CannotStart(problems.join('; '));
}
