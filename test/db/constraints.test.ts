import { randomUUID } from 'node:crypto';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests();

/** One id for an organization, its team, that team's account, key and open job, and the job's call. */
async function givenTeam(): Promise<string> {
  const id = randomUUID();
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('${id}', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('${id}', '${id}', '${id}');
    insert into credit_accounts (team_id, organization_id) values ('${id}', '${id}');
    insert into virtual_keys (key_hash, team_id, key_sealed) values ('${id}', '${id}', '');
    insert into team_keys (key_id, team_id, name, key_hash, key_sealed, key_hint, credit_limit) values ('${id}', '${id}', 'key', '${id}', '', '', 3);
    insert into jobs (job_id, team_id, organization_id, job_type) values ('${id}', '${id}', '${id}', 'report');
    insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed)
    values ('${id}', '${id}', '${id}', 'smart', '[]', 'gpt-4o', false)`);
  return id;
}

/** Why the database refuses the statement: the name of a constraint or an index, or the message of a trigger. */
async function refusal(statement: string): Promise<string | undefined> {
  const id = await givenTeam();
  const statements = statement.replaceAll('$id', `'${id}'`);
  return database.pool.query(statements).then(
    () => undefined,
    (error: { constraint?: string; message: string }) => error.constraint ?? error.message,
  );
}

const account = (set: string) => `update credit_accounts set ${set} where team_id = $id`;
const job = (set: string) => `update jobs set ${set} where job_id = $id`;
const call = (set: string) => `update calls set ${set} where call_id = $id`;

interface Others {
  job?: string;
  reason?: string;
  dueAt?: string;
}
/** With its amount, and the balance before and after it. */
const transaction = (
  type: string,
  [amount, before, after]: [number, number, number],
  { job = 'null', reason = "'why'", dueAt = 'null' }: Others = {},
) => `
  insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount,
                                   credits_before, credits_after, job_id, reason, refill_due_at)
  values (gen_random_uuid(), $id, $id, '${type}', ${amount}, ${before}, ${after}, ${job}, ${reason}, ${dueAt});`;
const twice = (type: string, sign: 1 | -1, others: Others) =>
  transaction(type, [1, 0, sign], others) + transaction(type, [1, sign, 2 * sign], others);

const ended = (status: string) => `status = '${status}', completed_at = now()`;
const completed = ended('completed');

test.each([
  [
    'a negative number of used credits',
    'credit_accounts_credits_used_check',
    account('credits_allocated = -1, credits_used = -1'),
  ],
  ['a limit below 0', 'credit_accounts_credit_limit_check', account('credit_limit = -1')],
  ['a refill of 0', 'credit_accounts_refill_amount_check', account('refill_amount = 0')],
  ['a fixed budget below 0', 'fixed_budget_never_negative', account('credit_limit = 0, credits_used = 1')],
  [
    'reservations above a fixed budget',
    'fixed_budget_covers_reservations',
    account('credit_limit = 0, credits_held = 1'),
  ],
  [
    'a refill without a date',
    'refill_is_complete',
    account("auto_refill = true, refill_amount = 1, refill_period = 'daily'"),
  ],
  [
    'an allocation that differs from the change of the balance',
    'amount_explains_the_balance',
    transaction('allocation', [2, 0, 1]),
  ],
  [
    'a deduction that raises the balance',
    'amount_explains_the_balance',
    transaction('deduction', [1, 0, 1], { job: '$id' }),
  ],
  ['an allocation that lowers the balance', 'amount_is_positive', transaction('allocation', [-1, 0, -1])],
  ['an adjustment by 0', 'amount_is_positive', transaction('adjustment', [0, 0, 0])],
  ['a deduction for no job', 'jobs_are_deducted_and_refunded', transaction('deduction', [1, 0, -1])],
  ['an allocation for a job', 'jobs_are_deducted_and_refunded', transaction('allocation', [1, 0, 1], { job: '$id' })],
  [
    'a reason of 501 characters',
    'credit_transactions_reason_check',
    transaction('allocation', [1, 0, 1], { reason: "repeat('x', 501)" }),
  ],
  ['a second deduction for a job', 'one_deduction_a_job', twice('deduction', -1, { job: '$id' })],
  ['a second refund for a job', 'one_refund_a_job', twice('refund', 1, { job: '$id' })],
  ['a second refill for a period', 'one_refill_a_period', twice('allocation', 1, { dueAt: "'2026-01-01'" })],
  [
    'a second current key of a team',
    'one_current_key_a_team',
    "insert into virtual_keys (key_hash, team_id, key_sealed) values ('', $id, '')",
  ],
  [
    'a second key of a team with one name',
    'one_key_a_name',
    "insert into team_keys (key_id, team_id, name, key_hash, key_sealed, key_hint) values (gen_random_uuid(), $id, 'key', '', '', '')",
  ],
  [
    'a session of two keys',
    'session_has_one_key',
    `insert into team_sessions (session_id, key_hash, key_id, token_hash, expires_at) values ($id, $id, $id, '', now())`,
  ],
  [
    'a session of no key',
    'session_has_one_key',
    `insert into team_sessions (session_id, token_hash, expires_at) values ($id, '', now())`,
  ],
  [
    'jobs that hold more than the limit of their key',
    'key_limit',
    `insert into jobs (job_id, team_id, organization_id, job_type, key_id, key_credits_held)
     select gen_random_uuid(), $id, $id, 'report', $id, 2 from generate_series(1, 2)`,
  ],
  ['an open job with a charge', 'charges_follow_the_policy', job('credit_applied = true, credits_charged = 1')],
  [
    'a job with a failed call and a charge',
    'charges_follow_the_policy',
    job(`${completed}, credit_applied = true, credits_charged = 1, failed_calls = 1`),
  ],
  ['a completed job without the time of its end', 'finished_jobs_have_an_end', job("status = 'completed'")],
  ['an open job with the time of an end', 'finished_jobs_have_an_end', job('completed_at = now()')],
  [
    'a job of many calls that ends with its call',
    'only_single_call_jobs_end_with_their_call',
    job('ends_with_call = true'),
  ],
  ['a failed call without an error', 'failures_have_a_reason', call("status = 'failed'")],
  ['a succeeded call with an error', 'failures_have_a_reason', call("status = 'succeeded', error = 'none'")],
  ['a call with a negative cost', 'calls_cost_usd_check', call('cost_usd = -0.01')],
  ['a call with a negative number of tokens', 'calls_total_tokens_check', call('total_tokens = -1')],
])('the database refuses %s by %s', async (_, rule, statement) => {
  expect(await refusal(statement)).toBe(rule);
});

test.each([
  [
    'allocated credits without a ledger row',
    account('credits_allocated = 1'),
    /^balance of team .* is 1, but its last ledger row ended at 0$/,
  ],
  [
    'used credits without a ledger row',
    account('credits_used = 1'),
    /^balance of team .* is -1, but its last ledger row ended at 0$/,
  ],
  [
    'a ledger row without a change of the balance',
    transaction('allocation', [1, 0, 1]),
    /^balance of team .* is 0, but its last ledger row ended at 1$/,
  ],
  [
    'a ledger row that does not begin at the last balance',
    transaction('allocation', [1, 4, 5]),
    /^ledger row of team .* begins at 4, but the last row ended at 0$/,
  ],
  ['the truncation of the audit log', 'truncate audit_log', /^audit_log is append-only$/],
  ['another end of a completed job', `${job(completed)}; ${job("status = 'failed'")}`, /^job .* is already completed$/],
  [
    'another end of a succeeded call',
    `${call("status = 'succeeded'")}; ${call("status = 'failed', error = 'lost'")}`,
    /^call .* is already succeeded$/,
  ],
  ['another end of a failed job', `${job(ended('failed'))}; ${job(completed)}`, /^job .* is already failed$/],
  ['another end of a cancelled job', `${job(ended('cancelled'))}; ${job(completed)}`, /^job .* is already cancelled$/],
])('the database refuses %s', async (_, statement, message) => {
  expect(await refusal(statement)).toMatch(message);
});
