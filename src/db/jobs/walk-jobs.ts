import type { ListPosition } from '../../contracts/cursor.ts';
import { isFinished, type JobStatus, jobStatuses } from '../../domain/job-state.ts';
import { invalid } from '../../errors.ts';
import type { Database } from '../connection/database.ts';
import { valuesAfter } from '../sql/keyset.ts';
import { unnamed } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { type JobRow, jobColumns } from './find-job.ts';
import { beginningWith, conditionsOf, type JobFilter, type JobFilterName } from './job-filter.ts';
import { afterPlace, beginningOf, type JobOrder, orderOfPhase, type Phase, phasesOf, positionIn } from './job-phases.ts';

export interface JobWalk extends JobOrder {
  limit: number;
  /** Null: from the first job on. */
  cursor: ListPosition | null;
  /** How many jobs the page looks at, at most. */
  examined?: number;
}

export interface WalkedJobs {
  rows: JobRow[];
  /** Where the next page begins; null at the end of the list. */
  next: ListPosition | null;
}

/** Looking at so many takes a few ten milliseconds, also where none matches. */
const mostExamined = 20_000;

/** So many are sorted rather than walked through. */
const mostFound = 1_000;

/** What of the filter an index finds: conditions that are true of each job that is looked at. */
interface Scope {
  names: readonly JobFilterName[];
  /** The only jobs that `q` matches, where these are few. */
  ids: readonly string[] | null;
  /** All its jobs can be looked at, whatever their order. */
  isSmall: boolean;
}

const isGiven = (filter: JobFilter, name: JobFilterName): boolean => (filter[name] ?? null) !== null;

const dates: readonly JobFilterName[] = ['created_from', 'created_before'];

/** The one filter by whose index the jobs are found in the order of their creation. */
const indexed = (filter: JobFilter): JobFilterName[] =>
  (['external_task_id', 'team_id', 'organization_id'] as const).filter((name) => isGiven(filter, name)).slice(0, 1);

async function findByBeginning(database: Database, q: string): Promise<string[] | null> {
  const { sql, values } = beginningWith(q);
  const text = `select job_id from jobs where ${sql} limit ${mostFound + 1}`;
  const rows = await database.reports.query<{ job_id: string }>(unnamed(text), values);
  return rows.length > mostFound ? null : rows.map(({ job_id }) => job_id);
}

async function hasAtMost(database: Database, filter: JobFilter, names: JobFilterName[], most: number): Promise<boolean> {
  const { sql, values } = conditionsOf(filter, names);
  const text = `select count(*)::int as jobs from (select from jobs where ${sql} limit ${most + 1}) scope`;
  const [row] = await database.reports.query<{ jobs: number }>(unnamed(text), values);
  return row!.jobs <= most;
}

async function scopeOf(database: Database, filter: JobFilter, { sort_by }: JobOrder, examined: number): Promise<Scope> {
  if (isGiven(filter, 'q')) {
    const ids = await findByBeginning(database, filter.q!);
    if (ids) return { names: [], ids, isSmall: true };
  }
  const names = [...indexed(filter), ...dates.filter((name) => isGiven(filter, name))];
  // These orders have indexes of their own, which know nothing of teams and dates.
  const isOrderedOtherwise = sort_by === 'completed_at' || sort_by === 'started_at' || sort_by === 'job_type';
  const isSmall = isOrderedOtherwise && names.length > 0 && (await hasAtMost(database, filter, names, examined));
  return { names, ids: null, isSmall };
}

/** The statuses that jobs of the part may have which the filter matches. */
function statusesOf({ status }: JobFilter, phase: Phase): readonly JobStatus[] {
  const wanted = status ? [status].flat() : jobStatuses;
  return wanted.filter((one) => (phase.status ?? one) === one && (!phase.isOpen || !isFinished(one)));
}

const ended = 'completed_at is not null';
const uncharged = `${ended} and not credit_applied`;
const everyJob = 'true';

/**
 * Conditions of which one holds for each job of the part that the filter matches, each of jobs that an index has in the order of the
 * part. The more they exclude, the fewer jobs are looked at in vain.
 */
function sourcesOf(filter: JobFilter, scope: Scope, phase: Phase): string[] {
  const statuses = statusesOf(filter, phase);
  if (statuses.length === 0) return [];
  if (scope.isSmall) return [phase.where];
  const withOpen = (source: string) => (statuses.some((one) => !isFinished(one)) ? [source, jobIsOpen()] : [source]);
  const leading = phase.keyset.columns[0]!.sql;
  if (leading === 'completed_at') return [ended];
  if (leading === 'started_at' || leading === 'job_type')
    return withOpen(ended).map((source) => `${source} and ${leading} is not null`);
  if (isGiven(filter, 'external_task_id')) return [everyJob];
  if (!statuses.some(isFinished)) return [jobIsOpen()];
  if (filter.charged === false || filter.has_failed_calls || !statuses.includes('completed'))
    return withOpen(uncharged);
  if (isGiven(filter, 'job_type') && !isGiven(filter, 'team_id') && !isGiven(filter, 'organization_id'))
    return withOpen(`${ended} and job_type = :job_type`);
  return [everyJob];
}

/** The filters that narrow a source down by its index. Others would make the index skip jobs without a bound. */
function narrowedBy(scope: Scope, phase: Phase, source: string): JobFilterName[] {
  if (scope.isSmall) return [...scope.names];
  if (phase.keyset.columns[0]!.sql !== 'created_at') return [];
  return scope.names.filter((name) => source === everyJob || name !== 'organization_id');
}

/** What one statement has found of a part. */
interface Found {
  rows: JobRow[];
  /** Where it has stopped before the end of the part. */
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
  const sources = sourcesOf(filter, scope, phase);
  if (sources.length === 0) return { rows: [], stopped: null };
  const position = part.position?.values.length ? part.position : null;
  const order = orderOfPhase(phase);
  const keys = phase.keyset.columns.map(({ sql }) => sql).join(', ');
  const matching = conditionsOf(filter);
  const isMatch = `${matching.sql} and ${phase.where}`;
  const one = scope.ids ? 'job_id = any (:ids::uuid[])' : 'true';
  const selects = sources.map((source) => {
    const narrowed = conditionsOf(filter, narrowedBy(scope, phase, source)).sql;
    return `(select ${keys}, (${isMatch}) as is_match from jobs
              where ${source} and ${narrowed} and ${one} and ${afterPlace(phase, position)}
              order by ${order} limit :examined)`;
  });
  const text = `
    with page as (
      select * from (
        select walked.*, row_number() over (order by ${order}) as place
          from (select * from (${selects.join(' union all ')}) every order by ${order} limit :examined) walked
      ) numbered where is_match or place = :examined order by place limit :limit::int + 1
    )
    select page.is_match, page.place::int, j.*
      from page join (select ${jobColumns} from jobs) j on j.job_id = page.job_id order by page.place`;
  const values = { ...matching.values, ...(position && valuesAfter(phase.keyset, position)), ...(scope.ids && { ids: scope.ids }) };
  type Row = JobRow & { is_match: boolean; place: number };
  const found = await database.reports.query<Row>(unnamed(text), { ...values, examined, limit });
  const rows = found.filter(({ is_match }) => is_match).slice(0, limit);
  const last = found.at(-1);
  if (found.length > limit && last!.is_match) return { rows, stopped: positionIn(phase, rows.at(-1)!) };
  return { rows, stopped: last?.place === examined ? positionIn(phase, last) : null };
}

/** Where the page begins. Refuses a cursor of another list or order with 422. */
function startOf(phases: Phase[], cursor: ListPosition | null): number {
  if (!cursor) return 0;
  const index = phases.findIndex(({ keyset }) => keyset.name === cursor.order);
  if (index < 0) throw invalid(['query', 'cursor'], 'Input should be a next_cursor of this list in this order');
  if (cursor.values.length > 0) valuesAfter(phases[index]!.keyset, cursor);
  return index;
}

/**
 * A page of jobs after a position. It looks at a bounded number of jobs, so that it takes no longer at any depth and with any filter;
 * where few of them match, it has fewer rows than its limit, and `next` is where the next page goes on. `spec 19.21`
 */
export async function walkJobs(
  database: Database,
  filter: JobFilter,
  { limit, cursor, examined = mostExamined, ...order }: JobWalk,
): Promise<WalkedJobs> {
  const phases = phasesOf(order);
  const first = startOf(phases, cursor);
  const perPhase = Math.ceil(examined / phases.length);
  const scope = await scopeOf(database, filter, order, perPhase);
  const rows: JobRow[] = [];
  for (const [index, phase] of phases.entries()) {
    if (index < first) continue;
    if (rows.length === limit) return { rows, next: beginningOf(phase) };
    const part = { phase, position: index === first ? cursor : null, limit: limit - rows.length, examined: perPhase };
    const found = await readPart(database, filter, scope, part);
    rows.push(...found.rows);
    if (found.stopped) return { rows, next: found.stopped };
  }
  return { rows, next: null };
}
