import { hasAdminUsers } from '../services/admin-users/read-admin-users.ts';
import type { Deps } from './ports.ts';

const retryMs = 10_000;

const protections = {
  open: 'not protected: the first client that calls it becomes the owner',
  'master-key': 'protected: it needs MASTER_KEY in X-Admin-Key',
  off: 'switched off',
};

/** One line at the start of an api of an installation that nobody owns yet. While the database is unavailable the query is repeated. */
export async function logSetup({ config, database, log }: Pick<Deps, 'config' | 'database' | 'log'>): Promise<void> {
  try {
    if (await hasAdminUsers({ database })) return;
    log.warn({ setup: config.SETUP, protection: protections[config.SETUP] }, 'setup: there is no admin user yet');
  } catch {
    setTimeout(() => void logSetup({ config, database, log }), retryMs).unref();
  }
}
