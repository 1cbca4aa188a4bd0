import { randomUUID } from 'node:crypto';
import { finishWithJob } from '../../src/calls/settle.ts';
import type { FinishedCall } from '../../src/db/calls/finish-call.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { deferSettlement } from '../../src/db/jobs/defer-settlement.ts';
import { billingPolicies } from '../../src/domain/billing-policy.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { recordTeam } from '../support/given-record.ts';
import { besideUncommitted } from '../support/locks.ts';
import { finished } from './finished-call.ts';

const { database } = await databaseForTests();

interface Given {
  credits?: number;
  terms?: { billing_policy?: string; price_credits?: number };
}

/** A call that has started, and ends its single-call job. Each call has a team of its own. */
async function givenCall({ credits = 10, terms = {} }: Given = {}) {
  const { pool } = database;
  const [team, job, call] = [randomUUID(), randomUUID(), randomUUID()];
  await recordTeam(database, team, team, credits);
  const { billing_policy = null, price_credits = null } = terms;
  await pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, single_call, ends_with_call, billing_policy, price_credits)
     values ($1, $2, $2, 'report', true, true, $3, $4)`,
    [job, team, billing_policy, price_credits],
  );
  await pool.query(
    `insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed)
     values ($1, $2, $3, 'chat', '[]', 'gpt', false)`,
    [call, job, team],
  );
  await pool.query(`insert into call_payloads (call_id, request) values ($1, '{}')`, [call]);
  const start = (workerAttempt: number) =>
    startCall(database, call, { workerAttempt, startsJob: true, jobStartedAt: new Date() });
  const { ends_job } = (await start(1))!;
  const finish = (
    status: FinishedCall['status'] = 'succeeded',
    fields: Partial<FinishedCall> = {},
    isUnshown = false,
  ) =>
    finishWithJob({ config: { USD_PER_CREDIT: undefined }, database }, finished(call, status, fields), {
      job_id: job,
      billing: ends_job!,
      isUnshown,
    });
  const books = async () => {
    const { rows } = await pool.query(
      `select j.status, j.total_calls, j.failed_calls, j.total_tokens::int, j.total_cost_usd, j.credits_charged, j.error_message, j.ended_by,
              c.status as call, a.credits_used,
              (select count(*)::int from credit_transactions where job_id = j.job_id) as deductions,
              (select sum(completed_jobs + failed_jobs + cancelled_jobs)::int from daily_usage where team_id = j.team_id) as counted
         from jobs j join calls c on c.job_id = j.job_id join credit_accounts a on a.team_id = j.team_id where j.job_id = $1`,
      [job],
    );
    return rows[0];
  };
  return { team, job, call, start, finish, books };
}

const sums = { total_calls: 1, total_tokens: 2, total_cost_usd: '1' };
const charged = {
  ...sums,
  status: 'completed',
  call: 'succeeded',
  credits_used: 1,
  credits_charged: 1,
  deductions: 1,
  counted: 1,
};
/** The call is recorded with its sums; its job is open and free. */
const leftOpen = { ...sums, status: 'in_progress', credits_used: 0, deductions: 0, counted: null };

test('a call that ends its job is recorded together with the end of the job, its sums and its charge', async () => {
  const { finish, books } = await givenCall();

  const recorded = await finish();

  expect(recorded).toMatchObject({
    error: null,
    job: {
      settled: { status: 'completed', credit_applied: true, credits_remaining: 9, total_calls: 1, total_tokens: 2 },
    },
  });
  expect(await books()).toMatchObject({ ...charged, failed_calls: 0, ended_by: 'call', error_message: null });
});

test.each<[string, FinishedCall['status'], boolean, object]>([
  ['failed', 'failed', false, { status: 'failed', call: 'failed', failed_calls: 1, error_message: 'why' }],
  [
    'was stopped before a token was shown',
    'succeeded',
    true,
    { status: 'cancelled', call: 'succeeded', failed_calls: 0 },
  ],
])('the job of a call that %s is free', async (_, status, isUnshown, expected) => {
  const { finish, books } = await givenCall();

  await finish(status, isUnshown ? { finish_reason: 'stopped' } : {}, isUnshown);

  expect(await books()).toMatchObject({
    ...sums,
    ...expected,
    credits_used: 0,
    credits_charged: 0,
    deductions: 0,
    counted: 1,
  });
});

test.each(billingPolicies)(
  'the job of a call that succeeded costs its price under the policy %s',
  async (billing_policy) => {
    const { finish, books } = await givenCall({ terms: { billing_policy, price_credits: 3 } });

    await finish();

    expect(await books()).toMatchObject({ ...charged, credits_used: 3, credits_charged: 3 });
  },
);

test.each(billingPolicies)('the job of a call that failed is free under the policy %s', async (billing_policy) => {
  const { finish, books } = await givenCall({ terms: { billing_policy } });

  await finish('failed', { failure: 'error' });

  expect(await books()).toMatchObject({ ...sums, status: 'failed', credits_charged: 0, counted: 1 });
});

test('a job whose team cannot pay completes free of charge', async () => {
  const { team, finish, books } = await givenCall({ credits: 1, terms: { price_credits: 3 } });
  await database.pool.query('update credit_accounts set credit_limit = 0 where team_id = $1', [team]);

  const recorded = await finish();

  expect(recorded).toMatchObject({ job: { settled: { status: 'completed', credit_applied: false } } });
  expect(await books()).toMatchObject({ ...sums, status: 'completed', credits_used: 0, deductions: 0, counted: 1 });
});

test.each([
  ['has received another command', ({ job }: { job: string }) => deferSettlement(database, job)],
  [
    'has a team that is billed in another way since the call started',
    ({ team }: { team: string }) =>
      database.pool.query(
        `update teams set budget_mode = 'consumption_tokens', tokens_per_credit = 1 where team_id = $1`,
        [team],
      ),
  ],
  [
    'has costs of an earlier attempt',
    ({ call }: { call: string }) =>
      database.pool.query(
        `insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, error, cost_usd)
         values ($1, 1, 1, 'gpt', 'failed', 'why', 0.5)`,
        [call],
      ),
  ],
])('a job that %s is left open when its call ends', async (_, change) => {
  const given = await givenCall();
  await change(given);

  const recorded = await given.finish('succeeded', { worker_attempt: 2 });

  expect(recorded).toMatchObject({ error: null, job: undefined });
  const { total_cost_usd, ...rest } = leftOpen;
  expect(await given.books()).toMatchObject({ ...rest, call: 'succeeded' });
});

test('a job that receives another command while its call ends is left open, with the sums of the call', async () => {
  const given = await givenCall();
  const deferral = { sql: 'update jobs set ends_with_call = false where job_id = $1', values: [given.job], waiting: 1 };

  const recorded = await besideUncommitted({ deps: { database } }, deferral, () => given.finish());

  expect(recorded).toMatchObject({ error: null, job: undefined });
  expect(await given.books()).toMatchObject({ ...leftOpen, call: 'succeeded' });
});

test('a call that a later attempt has started ends neither itself nor its job', async () => {
  const { start, finish, books } = await givenCall();
  await start(2);

  expect(await finish()).toBeUndefined();
  expect(await books()).toMatchObject({ status: 'in_progress', call: 'running', total_calls: 0, credits_used: 0 });
});

test('of twenty simultaneous ends of one call one is recorded, and its job is charged once', async () => {
  const { finish, books } = await givenCall();

  const recorded = await Promise.all(Array.from({ length: 20 }, () => finish()));

  expect(recorded.filter((one) => one?.job)).toHaveLength(1);
  expect(await books()).toMatchObject(charged);
});

test('the calls of twenty single-call jobs of one team that end together are charged once each', async () => {
  const { team } = await givenCall({ credits: 100 });
  const others = await Promise.all(Array.from({ length: 20 }, () => givenCall({ credits: 100 })));
  for (const { job, call } of others) {
    await database.pool.query('update jobs set team_id = $2, organization_id = $2 where job_id = $1', [job, team]);
    await database.pool.query('update calls set team_id = $2 where call_id = $1', [call, team]);
  }

  const recorded = await Promise.all(others.map(({ finish }) => finish()));

  expect(recorded.every((one) => one?.job?.settled.credit_applied)).toBe(true);
  const { rows } = await database.pool.query('select credits_used from credit_accounts where team_id = $1', [team]);
  expect(rows).toEqual([{ credits_used: 20 }]);
});
