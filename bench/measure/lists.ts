import pg from 'pg';
import { request } from 'undici';
import { quantile } from '../drive/statistics.ts';
import type { Stage } from '../stage/stage.ts';

/** p95 of each read in milliseconds, with so many jobs of one team. */
export interface ListLatency {
  jobs: number;
  p95: Record<string, number>;
}

const month = new Date().toISOString().slice(0, 7);
const today = new Date().toISOString().slice(0, 10);
const repetitions = 60;

/** The reads, of one team that has all the jobs. */
const reads = (teamId: string): Record<string, string> => ({
  'first page': '/api/jobs?limit=100',
  'a page, 5,000 on': '/api/jobs?limit=100&offset=5000',
  'completed jobs': '/api/jobs?status=completed&limit=100',
  'jobs of a type': '/api/jobs?job_type=type-3&limit=100',
  'jobs of a day': `/api/jobs?start_date=${today}&limit=100`,
  'jobs of the team': `/api/teams/${teamId}/jobs?limit=100`,
  'usage of the team': `/api/teams/${teamId}/usage?period=${month}`,
  'usage of the organization': `/api/organizations/bench/usage?period=${month}`,
});

/**
 * Inserts finished jobs of 20 types over the last 90 days, as the gateway would have written them. The triggers, which would take hours, are
 * off, and the rows that they would write are inserted too.
 */
const fill = `
  set session_replication_role = replica;
  insert into jobs (job_id, team_id, organization_id, job_type, status, created_at, started_at, completed_at, updated_at,
                    total_calls, total_tokens, total_cost_usd)
  select gen_random_uuid(), 'bench', 'bench', 'type-' || n % 20, case n % 10 when 0 then 'failed' else 'completed' end, at, at, at, at, 3, 500, 0.01
    from (select n, now() - n * interval '90 days' / $count as at from generate_series(1, $count) n) made;
  insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, failed_jobs, cancelled_jobs, total_cost_usd, total_tokens)
  select team_id, organization_id, (created_at at time zone 'utc')::date, job_type, count(*) filter (where status = 'completed'),
         count(*) filter (where status = 'failed'), 0, sum(total_cost_usd), sum(total_tokens)
    from jobs where job_type like 'type-%' group by 1, 2, 3, 4
  on conflict (team_id, day, job_type) do update
     set completed_jobs = excluded.completed_jobs, failed_jobs = excluded.failed_jobs,
         total_cost_usd = excluded.total_cost_usd, total_tokens = excluded.total_tokens;`;

async function addJobs(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(fill.replaceAll('$count', String(count)));
  await client.query('vacuum analyze jobs');
  await client.query('vacuum analyze daily_usage');
  await client.end();
}

async function read(stage: Stage, path: string): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${stage.gateway.url}${path}`, {
    headers: { authorization: `Bearer ${stage.team.key}` },
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${answer}`);
  return performance.now() - startedAt;
}

/** Adds jobs up to each number, and measures the same reads each time. */
export async function measureLists(stage: Stage, marks: readonly number[]): Promise<ListLatency[]> {
  const found: ListLatency[] = [];
  let existing = 0;
  for (const jobs of marks) {
    await addJobs(stage.services.databaseUrl, jobs - existing);
    existing = jobs;
    const p95: Record<string, number> = {};
    for (const [name, path] of Object.entries(reads(stage.team.teamId))) {
      const latencies: number[] = [];
      for (let repetition = 0; repetition < repetitions; repetition += 1) latencies.push(await read(stage, path));
      p95[name] = Math.round(quantile(latencies, 0.95) * 10) / 10;
    }
    found.push({ jobs, p95 });
  }
  return found;
}
