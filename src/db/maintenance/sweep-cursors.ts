import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export type Sweep = 'forgotten jobs' | 'forgotten calls' | 'terminated jobs' | 'terminated deliveries';

/** Where a page ended; the id separates rows of the same millisecond. */
export interface Place {
  created_at: Date;
  id: string;
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const markSql = statement('sweep_mark', 'select done_until from sweeps where name = $1');
const advanceSql = statement(
  'sweep_advance',
  `insert into sweeps (name, done_until) values ($1, $2)
   on conflict (name) do update set done_until = greatest(sweeps.done_until, excluded.done_until)`,
);

/** How far the sweep has come. */
export async function readCursor(database: Database, sweep: Sweep): Promise<Place> {
  const [row] = await database.query<{ done_until: Date }>(markSql, [sweep]);
  return { created_at: row?.done_until ?? new Date(0), id: lastId };
}

export const advanceCursor = (database: Database, sweep: Sweep, doneUntil: Date) =>
  database.query(advanceSql, [sweep, doneUntil]);
