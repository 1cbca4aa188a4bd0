import type { SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * Changes of one kind come one after another, until the transaction ends: for what is a rule over many rows, that there is
 * an owner, that two sides name each other, or that the upstream hears of the models of a team that is given access groups.
 * Management is rare enough for it.
 */
export async function lockChanges(entities: SqlEntityManager, kind: 'admin users' | 'model access'): Promise<void> {
  await entities.execute('select pg_advisory_xact_lock(hashtext(?))', [`job-gateway ${kind}`]);
}
