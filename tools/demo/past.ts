import type { Client } from 'pg';
import type { Database } from '../../src/db/connection/database.ts';
import { queryConfig } from '../../src/db/connection/query-config.ts';

/** A transaction in which statements run at times of the past. */
export interface Past {
  database: Database;
  /** The time of the statements that follow. */
  setTime(at: Date): Promise<unknown>;
}

/**
 * A schema that PostgreSQL searches before its own: it has the functions that tell the time, and a view of each table whose columns are the
 * time by default, because the default of a table is bound to the function of PostgreSQL.
 */
const createSchema = `
  create schema demo_past;
  create function demo_past.now() returns timestamptz stable language sql as $$ select current_setting('demo_past.now')::timestamptz $$;
  create function demo_past.clock_timestamp() returns timestamptz stable language sql as $$ select demo_past.now() $$;
  do $$
  declare of_time record;
  begin
    for of_time in select table_name, array_agg(column_name) as columns from information_schema.columns
                    where table_schema = current_schema() and column_default in ('now()', 'clock_timestamp()') group by 1
    loop
      execute format('create view demo_past.%1$I as select * from %1$I', of_time.table_name);
      for at in 1 .. array_length(of_time.columns, 1) loop
        execute format('alter view demo_past.%I alter column %I set default demo_past.now()', of_time.table_name, of_time.columns[at]);
      end loop;
    end loop;
  end $$;
  set local search_path = demo_past, pg_catalog, public`;

/** Runs statements of the product as if the time were what `setTime` says, in one transaction that leaves only their rows behind. */
export async function inThePast<T>(client: Client, work: (past: Past) => Promise<T>): Promise<T> {
  const query: Database['query'] = async (statement, values = {}) =>
    (await client.query(queryConfig(statement, values))).rows;
  const setTime = (at: Date) => client.query(`select set_config('demo_past.now', $1, true)`, [at.toISOString()]);
  await client.query('begin');
  try {
    await client.query(createSchema);
    const result = await work({ database: { query } as Database, setTime });
    await client.query('set local search_path to default; drop schema demo_past cascade');
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
