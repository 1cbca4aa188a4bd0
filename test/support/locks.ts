import type { Gateway } from './gateway.ts';
import { until } from './until.ts';

/** Waits until so many of the gateway's statements wait for another's lock. */
export const waitingForLocks = ({ deps }: Gateway, statements: number) =>
  until(async () => {
    const waiting = await deps.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.rowCount === statements;
  });

interface Other {
  sql: string;
  values: unknown[];
  /** How many statements of ours wait for it before it commits. */
  waiting: number;
}

/** What comes of `work` beside another's transaction that has not committed yet, and does while `work` waits for it. */
export async function besideUncommitted<T>(gateway: Gateway, other: Other, work: () => Promise<T>): Promise<T> {
  const holder = await gateway.deps.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(other.sql, other.values);
    const working = work();
    await waitingForLocks(gateway, other.waiting);
    await holder.query('commit');
    return await working;
  } finally {
    holder.release(true);
  }
}
