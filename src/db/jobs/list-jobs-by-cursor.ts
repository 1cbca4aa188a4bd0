import type { ListPosition } from '../../contracts/cursor.ts';
import { invalid } from '../../errors.ts';
import type { Database } from '../connection/database.ts';
import { valuesAfter } from '../sql/keyset.ts';
import { unnamed } from '../sql/statement.ts';
import { type JobRow, jobColumns } from './find-job.ts';
import { filterCondition, type JobFilter } from './job-filter.ts';
import {
  afterPositionInPhase,
  beginningOf,
  type JobOrder,
  orderOfPhase,
  type Phase,
  positionIn,
  toPhases,
} from './job-phases.ts';
import { findScope, isFoundBy, phaseSources, type Scope } from './job-sources.ts';

export interface JobWalk extends JobOrder {
  limit: number;
  /** Null: from the first job on. */
  cursor: ListPosition | null;
  /** How many jobs a statement looks at, at most. */
  examined?: number;
  /** Another statement follows only within this time. */
  budgetMs?: number;
}

export interface WalkedJobs {
  rows: JobRow[];
  /** The position where the next page begins; null at the end of the list. */
  next: ListPosition | null;
}

/**
 * Looking at so many takes 5 ms where they lie together, and 60 ms where the metadata of each are read from another table. A page may
 * take a second.
 */
const maxExamined = 4_000;
const timeBudgetMs = 400;

/** What one statement has found of a part. */
interface Found {
  rows: JobRow[];
  /** The position where it has stopped before the end of the part. */
  stopped: ListPosition | null;
}

interface Part {
  phase: Phase;
  position: ListPosition | null;
  limit: number;
  examined: number;
}

async function readPart(database: Database, filter: JobFilter, scope: Scope, part: Part): Promise<Found> {
  const { phase, limit, examined } = part;
  const sources = phaseSources(filter, scope, phase);
  if (sources.length === 0) return { rows: [], stopped: null };
  const position = part.position?.values.length ? part.position : null;
  const order = orderOfPhase(phase);
  const keys = phase.keyset.columns.map(({ sql }) => sql).join(', ');
  const matching = filterCondition(filter);
  const isMatch = `${matching.sql} and ${phase.where}`;
  const selects = sources.map(
    (source) => `(select ${keys}, (${isMatch}) as is_match from jobs
                   where ${isFoundBy(filter, scope, phase, source)} and ${afterPositionInPhase(phase, position)}
                   order by ${order} limit :examined)`,
  );
  const text = `
    with page as (
      select * from (
        select walked.*, row_number() over (order by ${order}) as position
          from (select * from (${selects.join(' union all ')}) every order by ${order} limit :examined) walked
      ) numbered where is_match or position = :examined limit :limit::int + 1
    )
    select page.is_match, page.position::int, j.*
      from page join (select ${jobColumns} from jobs) j on j.job_id = page.job_id order by page.position`;
  const values = {
    ...matching.values,
    ...(position && valuesAfter(phase.keyset, position)),
    ...(scope.ids && { ids: scope.ids }),
  };
  type Row = JobRow & { is_match: boolean; position: number };
  const found = await database.reports.query<Row>(unnamed(text), { ...values, examined, limit });
  const rows = found.filter(({ is_match }) => is_match).slice(0, limit);
  const last = found.at(-1);
  if (found.length > limit && last!.is_match) return { rows, stopped: positionIn(phase, rows.at(-1)!) };
  return { rows, stopped: last?.position === examined ? positionIn(phase, last) : null };
}

/** Finds the phase in which the page begins. Refuses a cursor of another list or order with 422. */
function findStart(phases: Phase[], cursor: ListPosition | null): number {
  if (!cursor) return 0;
  const index = phases.findIndex(({ keyset }) => keyset.name === cursor.order);
  if (index < 0) throw invalid(['query', 'cursor'], 'Input should be a next_cursor of this list in this order');
  if (cursor.values.length > 0) valuesAfter(phases[index]!.keyset, cursor);
  return index;
}

/**
 * A page of jobs after a position. It looks at jobs for a bounded time, so that it takes no longer at any depth and with any filter;
 * where few of them match, it has fewer rows than its limit, and `next` is where the next page goes on. `spec 19.21`
 */
export async function listJobsByCursor(
  database: Database,
  filter: JobFilter,
  { limit, cursor, examined = maxExamined, budgetMs = timeBudgetMs, ...order }: JobWalk,
): Promise<WalkedJobs> {
  const until = performance.now() + budgetMs;
  const phases = toPhases(order);
  let index = findStart(phases, cursor);
  let position = cursor;
  const scope = await findScope(database, filter, order, examined);
  const rows: JobRow[] = [];
  do {
    const phase = phases[index]!;
    const found = await readPart(database, filter, scope, { phase, position, limit: limit - rows.length, examined });
    rows.push(...found.rows);
    if (!found.stopped) index += 1;
    const next = phases[index];
    position = found.stopped ?? (next ? beginningOf(next) : null);
  } while (position && rows.length < limit && performance.now() < until);
  return { rows, next: position };
}
