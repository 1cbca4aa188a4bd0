import type { Client } from 'pg';
import type { InventedCall, InventedJob } from './invent-jobs.ts';
import type { DemoTeam } from './story.ts';
import { type Ledger, rateOfTeam } from './write-ledger.ts';

type Row = Record<string, unknown>;

/** Inserts rows of one table; the columns are those of the first row. */
async function insertInto(client: Client, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

const sum = <T>(of: readonly T[], value: (one: T) => number): number =>
  of.reduce((total, one) => total + value(one), 0);

const callRow = (team: DemoTeam, job: InventedJob, call: InventedCall): Row => {
  const last = call.attempts.at(-1)!;
  const tokens = sum(call.attempts, (one) => one.prompt_tokens + one.completion_tokens);
  return {
    call_id: call.call_id,
    job_id: job.job_id,
    team_id: team.team_id,
    purpose: call.purpose,
    requested_model: call.model_group,
    model_group_used: call.model_group,
    candidates: call.candidates.map(({ name, prompt, completion }) => ({
      model: name,
      inputPerMillion: String(prompt),
      outputPerMillion: String(completion),
    })),
    resolved_model: call.candidates[0]!.name,
    model_used: call.error === null ? last.model : null,
    streamed: call.streamed,
    status: call.error === null ? 'succeeded' : 'failed',
    worker_attempt: 1,
    prompt_tokens: sum(call.attempts, (one) => one.prompt_tokens),
    completion_tokens: sum(call.attempts, (one) => one.completion_tokens),
    total_tokens: tokens,
    // One of them has a cost.
    cost_usd: call.attempts.map(({ cost_usd }) => cost_usd).find((cost) => cost !== '0') ?? '0',
    latency_ms: call.finished_at.getTime() - call.started_at.getTime(),
    finish_reason: call.error === null ? 'stop' : null,
    has_tool_calls: false,
    error: call.error,
    failure: call.failure,
    created_at: call.created_at,
    started_at: call.started_at,
    first_token_at: call.streamed && call.error === null ? new Date(call.started_at.getTime() + 320) : null,
    finished_at: call.finished_at,
    // The sums by hour take what was recorded since they were made last.
    recorded_at: new Date(),
  };
};

const attemptRows = (call: InventedCall): Row[] =>
  call.attempts.map((attempt, n) => ({
    call_id: call.call_id,
    attempt_number: n + 1,
    worker_attempt: 1,
    ...attempt,
    created_at: call.finished_at,
  }));

const payloadRow = ({ call_id, prompt, answer, error, created_at }: InventedCall): Row => ({
  call_id,
  request: JSON.stringify({ messages: [{ role: 'user', content: prompt }], max_tokens: 1_000 }),
  has_data_urls: false,
  response: error === null ? JSON.stringify({ content: answer }) : null,
  created_at,
});

function jobRow(team: DemoTeam, ledger: Ledger, job: InventedJob): Row {
  const { credits, remaining } = ledger.charges.get(job.job_id)!;
  const calls = job.calls.map((call) => callRow(team, job, call));
  const total = (column: string) => sum(calls, (call) => Number(call[column]));
  return {
    job_id: job.job_id,
    team_id: team.team_id,
    organization_id: team.organization_id,
    user_id: job.user_id,
    job_type: job.job_type,
    external_task_id: job.external_task_id,
    single_call: false,
    for_task: false,
    closing: false,
    ends_with_call: false,
    status: job.status,
    metadata: job.metadata,
    model_groups_used: [...new Set(job.calls.map(({ model_group }) => model_group))],
    credit_applied: credits > 0,
    error_message: job.error_message,
    cancel_reason: job.cancel_reason,
    created_at: job.created_at,
    started_at: job.calls[0]!.started_at,
    completed_at: job.completed_at,
    updated_at: job.completed_at,
    total_calls: calls.length,
    failed_calls: job.calls.filter(({ error }) => error !== null).length,
    total_prompt_tokens: total('prompt_tokens'),
    total_completion_tokens: total('completion_tokens'),
    total_tokens: total('total_tokens'),
    total_cost_usd: 0,
    total_latency_ms: total('latency_ms'),
    credits_remaining: remaining,
    credits_charged: credits,
    budget_mode: team.budget_mode,
    credit_rate: rateOfTeam(team),
    credit_limit: team.credit_limit,
    ended_by: job.ended_by,
  };
}

/** Exact: in decimals, from the calls. */
const sumCosts = `update jobs j set total_cost_usd = c.cost
  from (select job_id, sum(cost_usd) as cost from calls where team_id = $1 group by job_id) c where c.job_id = j.job_id`;

/** What the statement that settles jobs and the one that refunds them would have written. */
const sumUsage = `
  insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, failed_jobs, cancelled_jobs, total_cost_usd,
                           total_tokens, total_calls, failed_calls, charged_jobs, credits_charged, credits_refunded,
                           free_cost_usd, failed_cost_usd)
  select j.team_id, j.organization_id, (j.created_at at time zone 'utc')::date, j.job_type,
         count(*) filter (where j.status = 'completed'), count(*) filter (where j.status = 'failed'),
         count(*) filter (where j.status = 'cancelled'), sum(j.total_cost_usd), sum(j.total_tokens), sum(j.total_calls),
         sum(j.failed_calls), count(*) filter (where j.credit_applied), sum(j.credits_charged),
         coalesce(sum(r.credits_amount), 0), coalesce(sum(j.total_cost_usd) filter (where not j.credit_applied), 0),
         coalesce(sum(j.total_cost_usd) filter (where j.status = 'failed'), 0)
    from jobs j left join credit_transactions r on r.job_id = j.job_id and r.transaction_type = 'refund'
   where j.team_id = $1 group by 1, 2, 3, 4`;

/**
 * Writes the past of a team that has none, in one transaction: the constraints and triggers of the database check each row of the
 * ledger and the balance, as they do for the service.
 */
export async function insertHistory(
  client: Client,
  team: DemoTeam,
  jobs: InventedJob[],
  ledger: Ledger,
): Promise<void> {
  const { team_id, organization_id } = team;
  const calls = jobs.flatMap((job) => job.calls.map((call) => ({ job, call })));
  await client.query('begin');
  try {
    await client.query('select from credit_accounts where team_id = $1 for update', [team_id]);
    await insertInto(
      client,
      'jobs',
      jobs.map((job) => jobRow(team, ledger, job)),
    );
    await insertInto(
      client,
      'calls',
      calls.map(({ job, call }) => callRow(team, job, call)),
    );
    await insertInto(
      client,
      'call_attempts',
      calls.flatMap(({ call }) => attemptRows(call)),
    );
    await insertInto(
      client,
      'call_payloads',
      calls.map(({ call }) => payloadRow(call)),
    );
    await client.query(sumCosts, [team_id]);
    await insertInto(
      client,
      'credit_transactions',
      ledger.rows.map((row) => ({ ...row, team_id, organization_id })),
    );
    await client.query(
      'update credit_accounts set credits_allocated = credits_allocated + $2, credits_used = credits_used + $3 where team_id = $1',
      [team_id, ledger.allocated, ledger.used],
    );
    await client.query(sumUsage, [team_id]);
    const since = ledger.rows[0]!.created_at;
    await client.query('update teams set created_at = $2, updated_at = $2 where team_id = $1', [team_id, since]);
    await client.query(
      'update organizations set created_at = least(created_at, $2::timestamptz) where organization_id = $1',
      [organization_id, since],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
