import type { Attacker } from '../attacker.ts';

interface Jobs {
  count: number;
  /** Of the metadata, which does not compress. */
  metadataBytes?: number;
  /** Each job has a user of its own. */
  users?: boolean;
}

/** Ended jobs of the team, a second apart, with the sums that the gateway keeps of them. */
export async function insertJobs(
  { team, sql }: Attacker,
  { count, metadataBytes = 0, users = false }: Jobs,
): Promise<void> {
  await sql(
    `with texts as (
       select t, case when $4 = 0 then '{}' else jsonb_build_object('a', 2, 'text', left(string_agg(md5(random()::text || i), ''), $4 - 40)) end as metadata
         from generate_series(0, 49) t, generate_series(1, 1 + $4 / 32) i group by t)
     insert into jobs (job_id, team_id, organization_id, job_type, user_id, external_task_id, status, metadata, created_at, started_at, completed_at,
                       total_calls, total_tokens, total_cost_usd)
     select gen_random_uuid(), $1, $2, 'type-' || n % 97, 'user-' || case when $5 then n else n % 31 end, 'task-' || n, 'completed', metadata,
            now() - n * interval '1 second', now() - n * interval '1 second', now() - n * interval '1 second', 1, 100, 0.01
       from generate_series(1, $3::int) n join texts on t = n % 50`,
    [team.teamId, team.organizationId, count, metadataBytes, users],
  );
  await sql(
    `insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, total_cost_usd, total_tokens, total_calls)
     select team_id, organization_id, (created_at at time zone 'utc')::date, job_type, count(*), sum(total_cost_usd), sum(total_tokens), sum(total_calls)
       from jobs where team_id = $1 group by 1, 2, 3, 4`,
    [team.teamId],
  );
  await sql('analyze jobs');
}

/** A job with so many calls, each with an attempt: a minute of a key at its limit has 60. */
export async function insertJobWithCalls({ team, sql }: Attacker, calls: number): Promise<string> {
  const jobId = crypto.randomUUID();
  await sql(
    `insert into jobs (job_id, team_id, organization_id, job_type, status, model_groups_used, created_at, started_at, completed_at, total_calls, total_tokens,
                       ended_by, budget_mode, credit_applied, credits_charged)
     values ($1, $2, $3, 'report', 'completed', array[$4::text], now() - interval '2 hours', now() - interval '2 hours', now(), $5, $5::int * 100,
             'client', 'job_based', true, 1)`,
    [jobId, team.teamId, team.organizationId, team.modelGroup, calls],
  );
  await sql(
    `with made as (
       insert into calls (call_id, job_id, team_id, purpose, requested_model, model_group_used, candidates, resolved_model, model_used, streamed, status,
                          worker_attempt, prompt_tokens, completion_tokens, total_tokens, cost_usd, latency_ms, finish_reason, created_at, started_at,
                          finished_at, recorded_at)
       select gen_random_uuid(), $1, $2, 'step ' || n, $3, $3, '[{"model": "sim-ok"}]', 'sim-ok', 'sim-ok', false, 'succeeded', 1, 60, 40, 100, 0.0001,
              100, 'stop', now(), now(), now(), now()
         from generate_series(1, $4::int) n returning call_id)
     insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome) select call_id, 1, 1, 'sim-ok', 'succeeded' from made`,
    [jobId, team.teamId, team.modelGroup, calls],
  );
  await sql('analyze calls');
  return jobId;
}

/** Text that does not compress. */
export const incompressible = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 65_536) }, () => randomText(65_536))
    .join('')
    .slice(0, bytes);

const randomText = (length: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString('base64');

/** A message with an image of so many bytes, which counts as one image however large it is. */
export const newImage = (bytes: number) => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${incompressible(bytes - (bytes % 4))}` } },
    ],
  },
];
