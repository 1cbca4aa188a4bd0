import { uuidRange } from '../../domain/formats/uuid-range.ts';
import { isFinished, type JobStatus, jobStatuses } from '../../domain/job-state.ts';
import type { Database } from '../connection/database.ts';
import { beginsWith, beginsWithValues } from '../sql/begins-with.ts';
import { unnamed } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { filterCondition, type JobFilter, type JobFilterName } from './job-filter.ts';
import type { JobOrder, Phase } from './job-phases.ts';

// Which jobs are looked at for a filter: those that an index finds in the order of the list.

/** Up to this many jobs are found first and then sorted; more are read in the order of the list. */
const maxFound = 1_000;

/** The part of a filter that an index serves: its conditions hold for every examined job. */
export interface Scope {
  names: readonly JobFilterName[];
  /** The only jobs that may match, where they are found by their ids or references, and are few. */
  ids: readonly string[] | null;
  /** All its jobs can be looked at, whatever their order. */
  isSmall: boolean;
}

const isGiven = (filter: JobFilter, name: JobFilterName): boolean => (filter[name] ?? null) !== null;

const dates: readonly JobFilterName[] = ['created_from', 'created_before'];

/** The filters by whose index the jobs are found in the order of their creation. */
function indexed(filter: JobFilter): JobFilterName[] {
  if (isGiven(filter, 'team_id') && isGiven(filter, 'external_task_id')) return ['team_id', 'external_task_id'];
  if (isGiven(filter, 'key_id')) return ['key_id'];
  if (isGiven(filter, 'team_id')) return ['team_id'];
  return isGiven(filter, 'organization_id') ? ['organization_id'] : [];
}

/** Finds ids by the index of a team's references. Where the filter names no team, each team is looked up. */
async function findIds(database: Database, filter: JobFilter): Promise<string[] | null> {
  const { q, team_id, external_task_id } = filter;
  const range = q ? uuidRange(q) : undefined;
  const byTask = q ? beginsWith('external_task_id', 'q') : 'external_task_id = :external_task_id';
  const byId = `(select job_id from jobs where job_id between :first_id::uuid and :last_id::uuid limit ${maxFound + 1}) union`;
  const text = `
    select job_id from (
    ${range ? byId : ''}
    (select found.job_id
       from teams t cross join lateral
            (select job_id from jobs where team_id = t.team_id and ${byTask} limit ${maxFound + 1}) found
      where ${team_id ? 't.team_id = :team_id' : 'true'} limit ${maxFound + 1})) ids
    limit ${maxFound + 1}`;
  const rows = await database.reports.query<{ job_id: string }>(unnamed(text), {
    ...(q ? beginsWithValues('q', q) : { external_task_id }),
    ...(range && { first_id: range.from, last_id: range.to }),
    ...(team_id && { team_id }),
  });
  return rows.length > maxFound ? null : rows.map(({ job_id }) => job_id);
}

/** The jobs with an error that matches; null: there are many. */
async function findWithErrors(database: Database, filter: JobFilter): Promise<string[] | null> {
  const names = (['errors', 'team_id', ...dates] as const).filter((name) => isGiven(filter, name));
  const { sql, values } = filterCondition(filter, names);
  const text = `select job_id from jobs where ${sql} limit ${maxFound + 1}`;
  const rows = await database.reports.query<{ job_id: string }>(unnamed(text), values);
  return rows.length > maxFound ? null : rows.map(({ job_id }) => job_id);
}

async function hasAtMost(
  database: Database,
  filter: JobFilter,
  names: JobFilterName[],
  maxJobs: number,
): Promise<boolean> {
  const { sql, values } = filterCondition(filter, names);
  const text = `select count(*)::int as jobs from (select from jobs where ${sql} limit ${maxJobs + 1}) scope`;
  const [row] = await database.reports.query<{ jobs: number }>(unnamed(text), values);
  return row!.jobs <= maxJobs;
}

/** `examined`: how many jobs may be looked at. */
export async function findScope(
  database: Database,
  filter: JobFilter,
  { sort_by }: JobOrder,
  examined: number,
): Promise<Scope> {
  if (isGiven(filter, 'q') || (isGiven(filter, 'external_task_id') && !isGiven(filter, 'team_id'))) {
    const ids = await findIds(database, filter);
    if (ids) return { names: [], ids, isSmall: true };
  }
  if (isGiven(filter, 'errors')) {
    const ids = await findWithErrors(database, filter);
    if (ids) return { names: [], ids, isSmall: true };
  }
  const names = [...indexed(filter), ...dates.filter((name) => isGiven(filter, name))];
  // The indexes of these orders contain neither team nor date.
  const isOrderedOtherwise = sort_by === 'completed_at' || sort_by === 'started_at' || sort_by === 'job_type';
  const isSmall = isOrderedOtherwise && names.length > 0 && (await hasAtMost(database, filter, names, examined));
  return { names, ids: null, isSmall };
}

/** The statuses that jobs of the part may have which the filter matches. */
function matchingStatuses({ status }: JobFilter, phase: Phase): readonly JobStatus[] {
  const wanted = status ? [status].flat() : jobStatuses;
  return wanted.filter((one) => (phase.status ?? one) === one && (!phase.isOpen || !isFinished(one)));
}

const ended = 'completed_at is not null';
const everyJob = 'true';

/**
 * Conditions of which one holds for each job of the part that the filter matches, each of jobs that an index has in the order of the
 * part.
 */
export function phaseSources(filter: JobFilter, scope: Scope, phase: Phase): string[] {
  const statuses = matchingStatuses(filter, phase);
  if (statuses.length === 0) return [];
  if (scope.isSmall) return [phase.where];
  const hasOpen = statuses.some((one) => !isFinished(one));
  const leading = phase.keyset.columns[0]!.sql;
  if (leading === 'completed_at') return [ended];
  if (leading === 'started_at' || leading === 'job_type')
    return (hasOpen ? [ended, jobIsOpen()] : [ended]).map((source) => `${source} and ${leading} is not null`);
  return [statuses.some(isFinished) ? everyJob : jobIsOpen()];
}

/** The filters that narrow a source down by its index. Others would make the index skip jobs without a bound. */
function narrowedBy(scope: Scope, phase: Phase, source: string): JobFilterName[] {
  if (scope.isSmall) return [...scope.names];
  if (phase.keyset.columns[0]!.sql !== 'created_at') return [];
  return scope.names.filter((name) => source === everyJob || name !== 'organization_id');
}

/** The condition of the jobs of a source. Its parameters are those of the filter, and `:ids` if the scope has them. */
export function isFoundBy(filter: JobFilter, scope: Scope, phase: Phase, source: string): string {
  const narrowed = filterCondition(filter, narrowedBy(scope, phase, source)).sql;
  return `${source} and ${narrowed} and ${scope.ids ? 'job_id = any (:ids::uuid[])' : 'true'}`;
}
