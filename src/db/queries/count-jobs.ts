import { type Database, type Statement, statement } from '../database.ts';
import type { JobFilter } from './list-jobs.ts';

const dayMs = 86_400_000;

/** What `daily_usage` can tell apart. */
const kept = ['team_id', 'organization_id', 'job_type'] as const;
const isDay = (at: Date | null | undefined): boolean => (at?.getTime() ?? 0) % dayMs === 0;

/** `daily_usage` knows the ended jobs by day, team, type and end: it counts in days what a count would in jobs. */
const isKept = ({ user_id, external_task_id, created_from, created_before }: JobFilter): boolean =>
  (user_id ?? external_task_id ?? null) === null && isDay(created_from) && isDay(created_before);

const ends = ['completed', 'failed', 'cancelled'];

/** Both parts in one statement, and so at one moment: a job is open or has ended, never both. */
function keptCount(filter: JobFilter): { sql: Statement; values: unknown[] } {
  const { status, created_from, created_before } = filter;
  const values: unknown[] = [];
  const names: string[] = [];
  const both: string[] = [];
  const given = <Value>(name: string, value: Value | null | undefined, condition: (place: string) => string) => {
    if ((value ?? null) === null) return;
    names.push(name);
    both.push(condition(`$${values.push(value)}`));
  };
  for (const name of kept) given(name, filter[name], (place) => `${name} = ${place}`);
  given('from', created_from, (place) => `created_at >= ${place}`);
  given('before', created_before, (place) => `created_at < ${place}`);
  const where = both.join(' and ') || 'true';
  const onDays = where.replaceAll(/created_at (>=|<) (\$\d)/g, "day $1 ($2::timestamptz at time zone 'utc')::date");
  const sums = (status ? ends.filter((end) => end === status) : ends).map((end) => `${end}_jobs`).join(' + ');
  const open = status && !ends.includes(status) ? `status = '${status}'` : `status in ('pending', 'in_progress')`;
  const ended = `(select coalesce(sum(${sums || '0'}), 0) from daily_usage where ${onDays})`;
  const openToo = `(select count(*) from jobs where status in ('pending', 'in_progress') and ${open} and ${where})`;
  const parts = [...(sums ? [ended] : []), ...(sums && status ? [] : [openToo])];
  const name = ['jobs_kept_count', status ?? 'all', ...names].join('_');
  return { sql: statement(name, `select (${parts.join(' + ')})::int as total`), values };
}

/** How many jobs the filter is true of, when that is known without looking at each; undefined otherwise. */
export async function countKeptJobs(database: Database, filter: JobFilter): Promise<number | undefined> {
  if (!isKept(filter)) return undefined;
  const { sql, values } = keptCount(filter);
  const [row] = await database.query<{ total: number }>(sql, values);
  return row!.total;
}
