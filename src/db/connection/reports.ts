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
 * written. Only routes with `place: 'lists'` read here: the bound of holders is before the queue of this pool, which knows none.
 */
export interface Reports {
  query<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Reads several times of one snapshot. */
  snapshot<T>(read: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  pool: Pool;
  close(): Promise<void>;
}

export interface ReportsOptions extends Omit<OrmOptions, 'max'> {
  /** A process that is frozen in a transaction must not hold the connection. */
  idleInTransactionMs: number;
}

/** Each may take a core of the database for itself. */
const poolSize = 2;

/** The timeout of one statement. A page of a team with 400,000 jobs, in an order that no index has, takes less than one second. */
const statementTimeoutMs = 5_000;

/** The longest wait for a free connection. */
const maxWaitMs = 5_000;

/** The client's timeout is longer than the server's, for a server that does not enforce its own. */
const queryTimeoutMs = 2 * statementTimeoutMs;

/**
 * Set for one transaction, not for the connection: behind a pooler in transaction mode, other work gets the same connection
 * next. No parallel workers: they would take the cores that the small pool leaves to calls. No compilation of a statement that
 * runs once. Pages of a table cost about the same in any order, as in memory and on solid-state disks: with the default of four
 * times as much, a list would read a longer index whose rows lie together, and skip most of them.
 */
const transactionSettings = (idleInTransactionMs: number) => `
  select set_config('statement_timeout', '${statementTimeoutMs}', true),
         set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', true),
         set_config('max_parallel_workers_per_gather', '0', true),
         set_config('random_page_cost', '1.1', true),
         set_config('jit', 'off', true)`;

export async function openReports({ idleInTransactionMs, ...options }: ReportsOptions): Promise<Reports> {
  let pool: Pool | undefined;
  const orm = await openOrm({
    ...options,
    max: poolSize,
    connection: {
      ...options.connection,
      connectionTimeoutMillis: maxWaitMs,
      query_timeout: queryTimeoutMs,
    },
    onPoolCreated(opened) {
      pool = opened;
      options.onPoolCreated(opened);
    },
  });
  const opened = pool!;
  const begin = `begin read only; ${transactionSettings(idleInTransactionMs)}`;

  async function read<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    const connection = await opened.connect();
    let isUsable = false;
    try {
      await connection.query(begin);
      const result = connection.query<Row>(queryConfig(statement, values));
      // Ends a failed transaction too. Sent at once: the driver keeps the order.
      const ended = connection.query('commit');
      const [settled] = await Promise.allSettled([result, ended]);
      await ended;
      isUsable = true;
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value.rows;
    } finally {
      connection.release(!isUsable);
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
            await em.execute(transactionSettings(idleInTransactionMs));
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
