import { IsolationLevel } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Statement, Values } from '../sql/statement.ts';
import { asReportOutage } from './failures.ts';
import { type OrmOptions, openOrm } from './orm.ts';
import { queryConfig } from './query-config.ts';

/**
 * Reads of many rows, as lists, usage and costs are, on few connections of their own and bounded in time: however many there
 * are, calls and management have theirs. One that finds no connection, or takes too long, is `Unavailable`. Nothing can be
 * written.
 */
export interface Reports {
  query<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Several reads that see the database at one moment. */
  snapshot<T>(read: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  pool: Pool;
  close(): Promise<void>;
}

export interface ReportsOptions extends Omit<OrmOptions, 'max'> {
  /** A process that stands still in the middle of a transaction must not keep the connection. */
  longestIdleMs: number;
}

/** Each may take a core of the database for itself. */
const mostReports = 2;

/** For one statement. A page of a team with 400,000 jobs, in an order that no index has, takes less than one second. */
const longestStatementMs = 5_000;

/** For a free connection. */
const longestWaitMs = 5_000;

/** Beyond the server's own bound: it is for a server that does not keep it. */
const longestAnswerMs = 2 * longestStatementMs;

/**
 * Set for one transaction, not for the connection: behind a pooler in transaction mode, other work gets the same connection
 * next. No parallel workers: they would take the cores that the small pool leaves to calls. No compilation of a statement that
 * runs once.
 */
const bounds = (longestIdleMs: number) => `
  select set_config('statement_timeout', '${longestStatementMs}', true),
         set_config('idle_in_transaction_session_timeout', '${longestIdleMs}', true),
         set_config('max_parallel_workers_per_gather', '0', true),
         set_config('jit', 'off', true)`;

export async function openReports({ longestIdleMs, ...options }: ReportsOptions): Promise<Reports> {
  let pool: Pool | undefined;
  const orm = await openOrm({
    ...options,
    max: mostReports,
    connection: {
      ...options.connection,
      connectionTimeoutMillis: longestWaitMs,
      query_timeout: longestAnswerMs,
    },
    prepare(opened) {
      pool = opened;
      options.prepare(opened);
    },
  });
  const opened = pool!;
  const begin = `begin read only; ${bounds(longestIdleMs)}`;

  async function read<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    const connection = await opened.connect();
    let isGood = false;
    try {
      await connection.query(begin);
      const outcome = connection.query<Row>(queryConfig(statement, values));
      // Ends a transaction that failed, too. Sent at once: the driver keeps the order.
      const ended = connection.query('commit');
      const [answer] = await Promise.allSettled([outcome, ended]);
      await ended;
      isGood = true;
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value.rows;
    } finally {
      connection.release(!isGood);
    }
  }

  return {
    pool: opened,
    query: (statement, values = {}) =>
      read<never>(statement, values).catch((error: unknown) => {
        throw asReportOutage(error);
      }),
    snapshot: (work) =>
      orm.em
        .fork()
        .transactional(
          async (em) => {
            await em.execute(bounds(longestIdleMs));
            return work(em as SqlEntityManager);
          },
          { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
        )
        .catch((error: unknown) => {
          throw asReportOutage(error);
        }),
    close: () => orm.close(true),
  };
}
