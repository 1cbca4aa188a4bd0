import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { auditEntry } from '../../src/db/audit/write-audit-entry.ts';
import { adjustCredits, allocateCredits } from '../../src/db/credits/change-balance.ts';
import { refundDeduction } from '../../src/db/credits/refund-deduction.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { settleJob } from '../../src/db/jobs/settle-job.ts';
import { refillTeam } from '../../src/services/credits/refill-team.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { checkLedger } from '../support/ledger.ts';
import { type Account, applyStep, refillAmount, type Step } from './ledger-model.ts';

const { database } = await databaseForTests();

const sql = (text: string, values: unknown[]) => database.pool.query(text, values);

async function givenTeam(limit: number | null): Promise<string> {
  const id = randomUUID();
  await sql('insert into organizations (organization_id, name) values ($1, $1)', [id]);
  await sql('insert into teams (team_id, organization_id, proxy_team_id) values ($1, $1, $1)', [id]);
  await sql(
    `insert into credit_accounts (team_id, organization_id, credit_limit, auto_refill, refill_amount, refill_period,
                                  refill_anchor_at, next_refill_at)
     values ($1, $1, $2, true, $3, 'daily', now(), now() + interval '1 day')`,
    [id, limit, refillAmount],
  );
  return id;
}

/** Executes the step with the statements of the service. */
async function execute(teamId: string, step: Step, jobs: string[]): Promise<void> {
  const request = { transaction_id: randomUUID(), team_id: teamId, reason: step.kind };
  const change = { action: step.kind, resource_type: 'team', resource_id: teamId };
  const audit_entry = auditEntry(randomUUID(), { caller: { kind: 'platform' }, ip: '' }, change);
  switch (step.kind) {
    case 'allocate':
      await allocateCredits(database, { ...request, credits_amount: step.credits, audit_entry });
      return;
    case 'adjust':
      await adjustCredits(database, { ...request, credits_amount: step.credits, audit_entry });
      return;
    case 'refill': {
      const { rows } = await sql('select next_refill_at from credit_accounts where team_id = $1', [teamId]);
      await refillTeam(database, teamId, new Date(rows[0].next_refill_at));
      return;
    }
    case 'deduct': {
      const job_id = await givenJob(teamId);
      const settled = await settleJob(database, { ...ended, job_id, credits: step.credits, completed_at: new Date() });
      if (settled?.credit_applied) jobs.push(job_id);
      return;
    }
    case 'refund': {
      const job_id = jobs[step.job % jobs.length] ?? randomUUID();
      await refundDeduction(database, { ...request, job_id, audit_entry });
    }
  }
}

const ended = {
  billed_by: null,
  ended_by: null,
  status: 'completed' as const,
  error_message: null,
  cancel_reason: null,
  metadata: {},
  model_groups_used: [],
};

async function givenJob(teamId: string): Promise<string> {
  const job_id = randomUUID();
  const facts = { user_id: null, job_type: 'report', external_task_id: null, metadata: {}, key_id: null };
  await insertJob(database, { job_id, team_id: teamId, organization_id: teamId, ...facts });
  return job_id;
}

async function read(teamId: string): Promise<Omit<Account, 'jobs'>> {
  const [accounts, ledger] = await Promise.all([
    sql('select credits_allocated, credits_used, credit_limit from credit_accounts where team_id = $1', [teamId]),
    sql('select credits_after from credit_transactions where team_id = $1 order by position', [teamId]),
  ]);
  const { credits_allocated, credits_used, credit_limit } = accounts.rows[0];
  const balances = ledger.rows.map((row) => row.credits_after);
  return { allocated: credits_allocated, used: credits_used, limit: credit_limit, balances };
}

const few = fc.integer({ min: 1, max: 20 });
const many = fc.constantFrom(1_000_000_000, 147_483_647, 2_147_483_647);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deduct'), credits: few }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund'), job: fc.nat({ max: 9 }) }) },
  fc.record({ kind: fc.constant('allocate'), credits: fc.oneof(few, many) }),
  fc.record({
    kind: fc.constant('adjust'),
    credits: fc.tuple(fc.oneof(few, many), fc.boolean()).map(([credits, up]) => (up ? credits : -credits)),
  }),
  fc.constant<Step>({ kind: 'refill' }),
) as fc.Arbitrary<Step>;

test('after every sequence of changes, account and ledger equal the model of plain arithmetic (spec 6.1)', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(null, 0, 2_000_000_000),
    fc.array(steps, { minLength: 5, maxLength: 25 }),
    async (limit, walk) => {
      const teamId = await givenTeam(limit);
      const jobs: string[] = [];
      let expected: Account = { allocated: 0, used: 0, limit, jobs: [], balances: [] };
      for (const step of walk) {
        await execute(teamId, step, jobs);
        expected = applyStep(expected, step);

        const { jobs: _, ...account } = expected;
        expect(await read(teamId)).toEqual(account);
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });

  expect(await checkLedger(database)).toEqual([]);
});

test('changes that are made at once have the same sum as changes that are made one after another', async () => {
  const teamId = await givenTeam(0);
  await execute(teamId, { kind: 'allocate', credits: 100 }, []);

  const all = Array.from({ length: 60 }, (_, index): Step => {
    if (index % 3 === 0) return { kind: 'allocate', credits: 2 };
    return index % 3 === 1 ? { kind: 'deduct', credits: 3 } : { kind: 'adjust', credits: -1 };
  });
  await Promise.all(all.map((step) => execute(teamId, step, [])));

  expect(await read(teamId)).toMatchObject({ allocated: 120, used: 60 });
  expect(await checkLedger(database)).toEqual([]);
});

test('the credits of a day are the deductions less the refunds of its ledger rows', async () => {
  const teamId = await givenTeam(null);
  const jobs: string[] = [];
  for (const credits of [3, 4]) await execute(teamId, { kind: 'deduct', credits }, jobs);
  await execute(teamId, { kind: 'refund', job: 0 }, jobs);

  const { rows } = await sql('select sum(credits_used) as used from daily_credits where team_id = $1', [teamId]);
  expect(Number(rows[0].used)).toBe(4);
});

test('the database refuses changes of ledger rows, gaps between them, and balances without a ledger row (spec 6.1, spec 6.12, spec 12.12)', async () => {
  const teamId = await givenTeam(null);
  await execute(teamId, { kind: 'allocate', credits: 5 }, []);

  const broken = [
    'update credit_accounts set credits_allocated = 6 where team_id = $1',
    'update credit_transactions set credits_amount = 6 where team_id = $1',
    'delete from credit_transactions where team_id = $1',
    `insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount,
                                      credits_before, credits_after, reason)
     values (gen_random_uuid(), $1, $1, 'allocation', 1, 4, 5, 'a gap')`,
  ];
  for (const statement of broken) await expect(sql(statement, [teamId])).rejects.toThrow(/append-only|ledger/);
  await expect(database.pool.query('truncate credit_transactions')).rejects.toThrow(/append-only/);
});
