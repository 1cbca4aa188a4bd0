import type { SqlEntityManager } from '@mikro-orm/postgresql';

/** Changes of who manages the platform come one after another: that there is an owner is a rule over all rows. */
export async function lockAdminUsers(entities: SqlEntityManager): Promise<void> {
  await entities.execute(`select pg_advisory_xact_lock(hashtext('job-gateway admin users'))`);
}
