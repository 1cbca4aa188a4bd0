import { request } from 'undici';
import { dayMs } from '../../src/domain/time/buckets.ts';
import { quantile } from '../drive/statistics.ts';
import type { ConsoleStage } from './console-stage.ts';
import { filled } from './fill-installation.ts';

/** Of the pages of one list, read one after the other: milliseconds at the client. */
export interface ListTimes {
  pages: number;
  p50: number;
  p95: number;
  slowest: number;
}

const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

/** Each filter of the list of jobs, some of them together, and each order. */
const filters = (): Record<string, string> => ({
  'no filter': '',
  'status=pending': 'status=pending',
  'status=completed': 'status=completed',
  'status=failed': 'status=failed',
  'status=failed, cancelled': 'status=failed&status=cancelled',
  'large team': `team_id=${filled.largeTeam}`,
  'small team': `team_id=${filled.smallTeam}`,
  organization: `organization_id=${filled.organization}`,
  job_type: 'job_type=type-7',
  user_id: 'user_id=user-321',
  external_task_id: 'external_task_id=task-300000',
  model_group: 'model_group=vision',
  metadata: 'metadata.customer=customer-123',
  'charged=true': 'charged=true',
  'charged=false': 'charged=false',
  'has_failed_calls=true': 'has_failed_calls=true',
  'has_failed_calls=false': 'has_failed_calls=false',
  min_cost_usd: 'min_cost_usd=0.03',
  max_cost_usd: 'max_cost_usd=0.005',
  'cost that none has': 'min_cost_usd=1000',
  min_duration_ms: 'min_duration_ms=230000',
  max_duration_ms: 'max_duration_ms=5000',
  'q, an id': 'q=0000',
  'q, a reference': 'q=task-12',
  'one day': `start_date=${daysAgo(31)}&end_date=${daysAgo(30)}`,
  'team and status=failed': `team_id=${filled.largeTeam}&status=failed`,
  'team and job_type': `team_id=${filled.largeTeam}&job_type=type-7`,
  'team and metadata': `team_id=${filled.largeTeam}&metadata.customer=customer-123`,
  'small team and user': `team_id=${filled.smallTeam}&user_id=user-321`,
  'organization and charged=false': `organization_id=${filled.organization}&charged=false`,
  'job_type and status=cancelled': 'job_type=type-7&status=cancelled',
  'user and status=failed': 'user_id=user-320&status=failed',
  'oldest first': 'order=asc',
  'by completed_at': 'sort_by=completed_at',
  'by started_at': 'sort_by=started_at&order=asc',
  'by status': 'sort_by=status',
  'by job_type': 'sort_by=job_type',
  'by completed_at, of a team': `sort_by=completed_at&team_id=${filled.largeTeam}`,
});

interface Page {
  next_cursor: string | null;
}

async function read({ gateway }: ConsoleStage, query: string): Promise<{ page: Page; ms: number }> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${gateway.url}/api/jobs?limit=100&count=none&${query}`, {
    headers: { authorization: `Bearer ${gateway.masterKey}` },
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`${query} was answered with ${statusCode}: ${answer}`);
  return { page: JSON.parse(answer) as Page, ms: performance.now() - startedAt };
}

async function walk(stage: ConsoleStage, filter: string, pages: number, from = ''): Promise<number[]> {
  const times: number[] = [];
  let cursor: string | null = from;
  while (cursor !== null && times.length < pages) {
    const { page, ms }: Awaited<ReturnType<typeof read>> = await read(stage, `${filter}&cursor=${cursor}`);
    times.push(ms);
    cursor = page.next_cursor;
  }
  return times;
}

const timesOf = (values: readonly number[]): ListTimes => {
  const rounded = (ms: number) => Math.round(ms * 10) / 10;
  return {
    pages: values.length,
    p50: rounded(quantile(values, 0.5)),
    p95: rounded(quantile(values, 0.95)),
    slowest: rounded(quantile(values, 1)),
  };
};

/** The first pages of each list, and as many from the middle of all jobs on: a cursor is a position in every list of its order. */
export async function measureListPages(stage: ConsoleStage, pages: number): Promise<Record<string, ListTimes>> {
  const found: Record<string, ListTimes> = {};
  const middle = (await read(stage, `end_date=${daysAgo(45)}&cursor=`)).page.next_cursor!;
  const all: number[] = [];
  for (const [name, filter] of Object.entries(filters())) {
    const first = await walk(stage, filter, pages);
    const isNewestFirst = !/order=|sort_by=|_date=/.test(filter);
    const deep = isNewestFirst ? await walk(stage, filter, pages, middle) : [];
    found[name] = timesOf(first);
    if (deep.length > 0) found[`${name}, from the middle on`] = timesOf(deep);
    all.push(...first, ...deep);
  }
  return { 'all pages': timesOf(all), ...found };
}
