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
  const ofJobs = ["status in ('pending', 'in_progress')"];
  const ofDays = ['true'];
  const given = (name: string, value: unknown, ofJob: string, ofDay?: string) => {
    if ((value ?? null) === null) return;
    const place = `$${values.push(value)}`;
    names.push(name);
    ofJobs.push(`${ofJob} ${place}`);
    ofDays.push(ofDay ? `${ofDay} (${place}::timestamptz at time zone 'utc')::date` : `${ofJob} ${place}`);
  };
  for (const name of kept) given(name, filter[name], `${name} =`);
  given('from', created_from, 'created_at >=', 'day >=');
  given('before', created_before, 'created_at <', 'day <');
  const isEnd = status && ends.includes(status);
  if (status && !isEnd) ofJobs.push(`status = '${status}'`);
  const sums = (isEnd ? [status] : ends).map((end) => `${end}_jobs`).join(' + ');
  const ended = `(select coalesce(sum(${sums}), 0) from daily_usage where ${ofDays.join(' and ')})`;
  const open = `(select count(*) from jobs where ${ofJobs.join(' and ')})`;
  const wanted = status ? [isEnd ? ended : open] : [ended, open];
  const name = ['jobs_kept_count', status ?? 'all', ...names].join('_');
  return { sql: statement(name, `select (${wanted.join(' + ')})::int as total`), values };
}

/** How many jobs the filter is true of, when that is known without looking at each; undefined otherwise. */
export async function countKeptJobs(database: Database, filter: JobFilter): Promise<number | undefined> {
  if (!isKept(filter)) return undefined;
  const { sql, values } = keptCount(filter);
  const [row] = await database.query<{ total: number }>(sql, values);
  return row!.total;
}
