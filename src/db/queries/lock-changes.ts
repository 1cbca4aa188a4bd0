import type { SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * Changes of one kind come one after another, until the transaction ends: for what is a rule over many rows, that there is
 * an owner, or that two sides name each other. Management is rare enough for it.
 */
export async function lockChanges(entities: SqlEntityManager, kind: 'admin users' | 'model access'): Promise<void> {
  await entities.execute('select pg_advisory_xact_lock(hashtext(?))', [`job-gateway ${kind}`]);
}
