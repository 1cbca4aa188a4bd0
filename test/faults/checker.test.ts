import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { Checker } from './support/checker.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** Inconsistencies that triggers, foreign keys, an index or a constraint would refuse, created with these off. */
const inconsistencies: [finding: string, sql: string][] = [
  [
    'a job was deducted twice: 1',
    `drop index one_deduction_a_job;
     insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type,
                                      credits_amount, credits_before, credits_after, reason)
     select gen_random_uuid(), team_id, organization_id, job_id, 'deduction', 1, credits_after, credits_after - 1, 'again'
       from credit_transactions where transaction_type = 'deduction';
     update credit_accounts set credits_used = credits_used + 1`,
  ],
  ['an account is not the sum of its ledger: 1', 'update credit_accounts set credits_used = credits_used + 1'],
  [
    'an account is not the sum of its ledger: 1',
    `delete from credit_transactions where transaction_type = 'deduction'`,
  ],
  [
    'a ledger row does not begin where the last one ended: 1',
    `update credit_transactions set credits_before = credits_before + 1, credits_after = credits_after + 1
      where transaction_type = 'deduction'`,
  ],
  ['credit_applied and the ledger disagree: 1', 'update jobs set credit_applied = false, credits_charged = 0'],
  [
    'a fixed budget is negative: 1',
    `alter table credit_accounts drop constraint fixed_budget_never_negative;
     update credit_accounts set credits_used = credits_allocated + 1`,
  ],
  ['a job is not the sum of its recorded calls: 1', 'update jobs set total_tokens = total_tokens + 1'],
  ['a finished job has a call that is not recorded: 1', 'update calls set recorded_at = null'],
  [
    'a call has two answers: 1',
    `insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome)
     select call_id, 2, 2, model, 'succeeded' from call_attempts`,
  ],
  ['a call is not the sum of its attempts: 1', 'update call_attempts set cost_usd = cost_usd + 1'],
  ['a job was charged against its policy: 1', `update calls set status = 'failed', error = 'x'`],
  ['a day of usage is not the sum of its jobs: 1', 'update daily_usage set total_tokens = total_tokens + 1'],
  [
    'an event is in the outbox twice: 1',
    `insert into webhook_deliveries (delivery_id, webhook_id, event, job_id, body)
     select gen_random_uuid(), w.webhook_id, 'job.completed', j.job_id, '{}'
       from jobs j, (select gen_random_uuid() as webhook_id) w, generate_series(1, 2)`,
  ],
  [
    'an asynchronous call that has ended has not one event: 1',
    `update calls set asynchronous = true;
     insert into webhooks (webhook_id, team_id, webhook_url, events, secret_sealed, created_at)
     select gen_random_uuid(), team_id, 'x', '{call.completed,call.failed}', 'x', 'epoch' from jobs`,
  ],
  ['the reserved credits are not those of the open jobs: 1', 'update credit_accounts set credits_held = 1'],
  [
    'a threshold that a balance fell to has not one event: 1',
    `update teams set credit_thresholds = '{4}', updated_at = 'epoch';
     insert into webhooks (webhook_id, team_id, webhook_url, events, secret_sealed, created_at)
     select gen_random_uuid(), team_id, 'x', '{credits.threshold}', 'x', 'epoch' from jobs`,
  ],
  [
    'credits were exhausted twice without a rise of the balance: 1',
    `with w as (insert into webhooks (webhook_id, team_id, webhook_url, events, secret_sealed)
                select gen_random_uuid(), team_id, 'x', '{credits.exhausted}', 'x' from jobs returning webhook_id)
     insert into webhook_deliveries (delivery_id, webhook_id, event, body)
     select gen_random_uuid(), webhook_id, 'credits.exhausted', json_build_object('timestamp', now()) from w, generate_series(1, 2)`,
  ],
  [
    'a job has spent and holds more than a cap of its budget permits: 1',
    'update job_budgets set max_tokens = (select total_tokens - 1 from jobs)',
  ],
  [
    'a job has spent and holds more than a cap of its budget permits: 1',
    'update calls set recorded_at = null, held_tokens = 1000000',
  ],
  [
    'a job assumes more than its calls had reserved beyond what they took: 1',
    'update jobs set assumed_tokens = 1000000',
  ],
  ['an ended job has an unfinished call: 1', `update calls set status = 'running'`],
];

let team: Awaited<ReturnType<typeof given.team>>;
let job: string;
let call: string;
beforeAll(async () => {
  team = await given.team({ credits: 5 });
  job = await given.job(team, { budget: { max_tokens: 100_000 } });
  call = expectOk(await as(gateway, team).call(job)).call_id;
  expectOk(await as(gateway, team).complete(job));
});

test('the ledger check reports nothing for a completed job with a call', async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test.each(inconsistencies)(
  'the ledger check reports an inconsistency that was created in the database: %s',
  async (finding, sql) => {
    await asSuperuser(async (client) => {
      await client.query(sql);

      expect(await checkLedger({ pool: client })).toContain(finding);
    });

    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
);

test('the checker reports acknowledged jobs and calls that are missing or differ, and an end that changed', async () => {
  const lost = { job: randomUUID(), call: randomUUID() };
  const { client: temporal, taskQueue } = gateway.current.deps.temporal;
  const { database } = gateway.current.deps;
  const checkerOn = (pool: Pick<PoolClient, 'query'>) => {
    const checker = new Checker({ pool: pool as never, temporal, taskQueue });
    checker.acknowledgeJob(job, 'completed');
    checker.acknowledgeCall(call, 'failed');
    checker.acknowledgeJob(lost.job, 'open');
    checker.acknowledgeCall(lost.call, 'failed');
    return checker;
  };

  const findings = await asSuperuser(async (client) => {
    const checker = checkerOn(client);
    await checker.check(true);
    await client.query(`update jobs set status = 'failed', credit_applied = false, credits_charged = 0`);
    return checker.conclude();
  });
  const closed = await checkerOn(database.pool).conclude();

  expect(findings).toEqual(
    expect.arrayContaining([
      'credit_applied and the ledger disagree: 1',
      expect.stringMatching(`^the end of job ${job} was completed t .* and is failed f`),
      `job ${job} was acknowledged as completed and is failed`,
      `acknowledged job ${lost.job} is gone`,
      `acknowledged call ${lost.call} is gone`,
      `call ${call} was acknowledged as failed and is succeeded`,
    ]),
  );
  expect(closed).toHaveLength(3);
});

test('the checker reports an open job without a workflow, and a running workflow of an ended job', async () => {
  const openJob = await given.job(team);
  const { client: temporal, taskQueue } = gateway.current.deps.temporal;
  const findingsAfter = (sql: string) =>
    asSuperuser(async (client) => {
      await client.query(sql, [openJob]);
      return new Checker({ pool: client as never, temporal, taskQueue, agreeWithinMs: 0 }).conclude();
    });
  const ended = `update jobs set status = 'failed', completed_at = now() where job_id = $1`;
  const renamed = 'update jobs set job_id = gen_random_uuid() where job_id = $1';

  await until(
    () => findingsAfter(ended),
    (found) => found.includes(`job-${openJob} runs and its job has ended`),
  );
  expect(await findingsAfter(renamed)).toContainEqual(
    expect.stringMatching(/^job-.* does not run and its job is open$/),
  );
});

/** Runs `work` with every trigger and foreign key off, in a transaction that is rolled back. */
async function asSuperuser<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await gateway.current.deps.database.pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}
