import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { AttemptFailure } from '../../src/domain/call-failure.ts';

type Queryable = Pick<Pool | PoolClient, 'query'>;

/** A team with its organization of the same name, and a job of it. */
export async function givenTeamWithJob(
  pool: Queryable,
  team: string = randomUUID(),
): Promise<{ team: string; job: string }> {
  const job = randomUUID();
  await pool.query('insert into organizations (organization_id, name) values ($1, $1)', [team]);
  await pool.query('insert into teams (team_id, organization_id, proxy_team_id) values ($1, $1, $1)', [team]);
  await pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, status) values ($1, $2, $2, 'report', 'in_progress')`,
    [job, team],
  );
  return { team, job };
}

export interface GivenCall {
  status?: 'succeeded' | 'failed';
  failure?: string | null;
  error?: string | null;
  model_group?: string | null;
  latency_ms?: number;
  finished_at?: Date | string;
  /** Default: the beginning of the transaction, as the product sets it. */
  recorded_at?: Date | string;
  tokens?: number;
  cost_usd?: string;
  /** The models that were asked, in order; all but the last have failed. */
  models?: string[];
  /** Why each of them failed, for programs. */
  causes?: AttemptFailure[];
}

/** Inserts a call that has ended and is in the sums of its job. */
export async function insertRecordedCall(
  pool: Queryable,
  { team, job }: { team: string; job: string },
  given: GivenCall = {},
): Promise<string> {
  const call_id = randomUUID();
  const {
    status = 'succeeded',
    models = ['gpt'],
    model_group = 'chat',
    latency_ms = 100,
    tokens = 7,
    cost_usd = '0.001',
  } = given;
  const error = given.error ?? (status === 'failed' ? 'the model failed' : null);
  const failure = given.failure === undefined ? (status === 'failed' ? 'error' : null) : given.failure;
  await pool.query(
    `insert into calls (call_id, job_id, team_id, requested_model, model_group_used, candidates, resolved_model, streamed, status,
                        total_tokens, cost_usd, latency_ms, error, failure, finished_at, recorded_at)
     values ($1, $2, $3, 'chat', $4, '[]', $5, false, $6, $7, $8, $9, $10, $11, coalesce($12::timestamptz, now()),
             coalesce($13::timestamptz, now()))`,
    [
      call_id,
      job,
      team,
      model_group,
      models[0] ?? 'gpt',
      status,
      tokens,
      cost_usd,
      latency_ms,
      error,
      failure,
      given.finished_at,
      given.recorded_at,
    ],
  );
  for (const [index, model] of models.entries()) {
    const cause = given.causes?.[index] ?? {};
    const outcome = index === models.length - 1 ? status : 'failed';
    await pool.query(
      `insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, latency_ms, cost_usd, error, failure,
                                  status_code, error_code)
       values ($1, $2, 1, $3, $4, $5, $6, case when $4 = 'failed' then 'the model failed' end, $7, $8, $9)`,
      [
        call_id,
        index + 1,
        model,
        outcome,
        latency_ms,
        index === models.length - 1 ? cost_usd : '0',
        cause.failure,
        cause.status_code,
        cause.error_code,
      ],
    );
  }
  return call_id;
}
