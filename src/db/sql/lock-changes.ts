import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from './statement.ts';

const sql = unnamed('select pg_advisory_xact_lock(hashtext(:lock_name))');

/**
 * Changes of one kind wait for each other until the transaction ends. For rules over many rows: that there is an owner, that
 * two sides name each other, that the upstream receives the models of a team that is given access groups. Management is rare
 * enough for that.
 */
export async function lockChanges(
  entities: SqlEntityManager,
  kind: 'admin users' | 'model access' | 'webhooks of the installation',
): Promise<void> {
  await executeIn(entities, sql, { lock_name: `job-gateway ${kind}` });
}
