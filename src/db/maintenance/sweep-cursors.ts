import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export type Sweep = 'unsent calls' | 'open jobs' | 'pending deliveries' | 'hourly calls' | 'long answers';

/** The position at which a page ended; the id separates rows of the same millisecond. */
export interface PagePosition {
  created_at: Date;
  id: string;
}

/** Rows created after a position and until a time, oldest first, at most `limit`. */
export interface NextPage {
  after: PagePosition;
  until: Date;
  limit: number;
}

export const toParameters = ({ after, until, limit }: NextPage) => ({
  after_created_at: after.created_at,
  after_id: after.id,
  until,
  limit,
});

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const readSql = statement('read_sweep_cursor', 'select done_until from sweep_cursors where name = :sweep');
const advanceSql = statement(
  'advance_sweep_cursor',
  `insert into sweep_cursors (name, done_until) values (:sweep, :done_until)
   on conflict (name) do update set done_until = greatest(sweep_cursors.done_until, excluded.done_until)`,
);
const moveSql = statement(
  'move_sweep_cursor',
  `insert into sweep_cursors (name, done_until) values (:sweep, :done_until)
   on conflict (name) do update set done_until = excluded.done_until`,
);

/** The position up to which the sweep has read. */
export async function readCursor(database: Database, sweep: Sweep): Promise<PagePosition> {
  const [row] = await database.query<{ done_until: Date }>(readSql, { sweep });
  return { created_at: row?.done_until ?? new Date(0), id: lastId };
}

export const advanceCursor = (database: Database, sweep: Sweep, doneUntil: Date) =>
  database.query(advanceSql, { sweep, done_until: doneUntil });

/** Moves the cursor of a sweep that begins again at its end. */
export const moveCursor = (database: Database, sweep: Sweep, doneUntil: Date) =>
  database.query(moveSql, { sweep, done_until: doneUntil });
