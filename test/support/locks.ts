import type { Database } from '../../src/db/connection/database.ts';
import { until } from './until.ts';

interface HasDatabase {
  deps: { database: Pick<Database, 'pool'> };
}

/** Waits until this number of statements on the gateway's database wait for a lock. */
export const waitingForLocks = ({ deps }: HasDatabase, statements: number) =>
  until(async () => {
    const waiting = await deps.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.rowCount === statements;
  });

interface OtherTransaction {
  sql: string;
  values: unknown[];
  /** The number of statements that must wait for its lock before it commits. With 0 nothing waits: `work` ends before it commits. */
  waiting: number;
  /** How it releases the lock. */
  end?: 'commit' | 'rollback';
}

/** The result of `work`, which runs while another transaction holds a lock that it needs, and which that transaction releases by its end. */
export async function besideUncommitted<T>(
  gateway: HasDatabase,
  other: OtherTransaction,
  work: () => Promise<T>,
): Promise<T> {
  const holder = await gateway.deps.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(other.sql, other.values);
    const working = work();
    await (other.waiting ? waitingForLocks(gateway, other.waiting) : working);
    await holder.query(other.end ?? 'commit');
    return await working;
  } finally {
    holder.release(true);
  }
}
