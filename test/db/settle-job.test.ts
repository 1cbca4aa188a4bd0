import { randomUUID } from 'node:crypto';
import { auditEntry } from '../../src/db/audit/write-audit-entry.ts';
import { allocateCredits } from '../../src/db/credits/change-balance.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { maxBalance } from '../../src/domain/credits.ts';
import { finalJobStatuses } from '../../src/domain/job-state.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { until } from '../support/until.ts';

const { database } = await databaseForTests();

async function givenJob(): Promise<string> {
  const id = randomUUID();
  await database.pool.query('insert into organizations (organization_id, name) values ($1, $1)', [id]);
  await database.pool.query('insert into teams (team_id, organization_id, proxy_team_id) values ($1, $1, $1)', [id]);
  await database.pool.query('insert into credit_accounts (team_id, organization_id) values ($1, $1)', [id]);
  await insertJobOf(id, id);
  return id;
}

async function insertJobOf(team: string, job_id: string = randomUUID()): Promise<string> {
  const facts = { user_id: null, job_type: 'report', external_task_id: null, metadata: {}, key_id: null };
  await insertJob(database, { job_id, team_id: team, organization_id: team, ...facts });
  return job_id;
}

async function givenCredits(team_id: string, credits_amount: number): Promise<void> {
  const change = { action: 'allocated_credits', resource_type: 'team', resource_id: team_id };
  const audit_entry = auditEntry(randomUUID(), { caller: { kind: 'platform' }, ip: '' }, change);
  await allocateCredits(database, {
    transaction_id: randomUUID(),
    team_id,
    credits_amount,
    reason: 'why',
    audit_entry,
  });
}

/** The effect of the settlement of another job on an account with so many credits. */
const chargedFirst = `
  with charged as (
    update credit_accounts set credits_used = credits_used + 1 where team_id = $1
  )
  insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type,
                                   credits_amount, credits_before, credits_after, reason)
  values (gen_random_uuid(), $1, $1, $2, 'deduction', 1, $3::int, $3::int - 1, 'Job completed')`;

const waitingForLock = `
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test.each(finalJobStatuses)('a %s job that is settled again returns its stored end', async (status) => {
  const job = await givenJob();
  const end = { ...endAsRecorded(job, status, null), credits: 1 };

  const settled = await settleJob(database, end);
  const again = await settleJob(database, { ...end, status: 'failed', completed_at: new Date(0) });

  expect(settled).toMatchObject({ ended_now: true, status, credit_applied: status === 'completed' });
  expect(again).toEqual({ ...settled, ended_now: false });
});

test('a job that is settled by a process whose clock is an hour slow has its time of creation as its end', async () => {
  const job = await givenJob();
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const end = { ...endAsRecorded(job, 'completed', null), completed_at: anHourAgo, credits: 0 };

  const settled = await settleJob(database, end);

  const { rows } = await database.pool.query('select created_at from jobs where job_id = $1', [job]);
  expect(settled!.completed_at).toEqual(rows[0].created_at);
});

test('a charge that would exceed the largest number of used credits is not deducted, and the job completes', async () => {
  const job = await givenJob();
  await givenCredits(job, 10);
  const settle = async (id: string, credits: number) =>
    settleJob(database, { ...endAsRecorded(id, 'completed', null), credits });

  const settled = [await settle(job, maxBalance), await settle(await insertJobOf(job), 5)];

  expect(settled).toMatchObject([
    { status: 'completed', credit_applied: true },
    { status: 'completed', credit_applied: false },
  ]);
});

test.each([
  [1, false],
  [2, true],
])(
  'a job whose team has %i credits, of which another job is charged one meanwhile, is charged: %p, and no credit is left (spec 6.10)',
  async (credits, applied) => {
    const job = await givenJob();
    await givenCredits(job, credits);
    await database.pool.query('update credit_accounts set credit_limit = $2 where team_id = $1', [job, credits]);
    const other = await database.pool.connect();
    await other.query('begin');
    await other.query(chargedFirst, [job, await insertJobOf(job), credits]);

    const settling = settleJob(database, { ...endAsRecorded(job, 'completed', null), credits: 1 });
    await until(async () => (await database.pool.query(waitingForLock)).rowCount === 1);
    await other.query('commit');
    other.release();

    expect(await settling).toMatchObject({ status: 'completed', credit_applied: applied, credits_remaining: 0 });
  },
);

test('the statement that ends a job records the basis of its charge, and no credits for a free job', async () => {
  const charged = await givenJob();
  const free = await insertJobOf(charged);
  const billed_by = { budget_mode: 'consumption_usd', credit_rate: '12.5' } as const;
  const end = (job: string) => ({ ...endAsRecorded(job, 'completed', null, 'client'), billed_by });
  await givenCredits(charged, 10);

  await settleJob(database, { ...end(charged), credits: 4 });
  await settleJob(database, { ...end(free), credits: 0 });

  const { rows } = await database.pool.query(
    'select credits_charged, budget_mode, credit_rate::text, credit_limit, ended_by from jobs where team_id = $1 order by credits_charged desc',
    [charged],
  );
  const basis = { budget_mode: 'consumption_usd', credit_rate: '12.5', credit_limit: null, ended_by: 'client' };
  expect(rows).toEqual([
    { ...basis, credits_charged: 4 },
    { ...basis, credits_charged: 0 },
  ]);
});
