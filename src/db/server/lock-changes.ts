import type { SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * Changes of one kind wait for each other until the transaction ends. For rules over many rows: that there is an owner, that
 * two sides name each other, that the upstream receives the models of a team that is given access groups. Management is rare
 * enough for that.
 */
export async function lockChanges(entities: SqlEntityManager, kind: 'admin users' | 'model access'): Promise<void> {
  await entities.execute('select pg_advisory_xact_lock(hashtext(?))', [`job-gateway ${kind}`]);
}
