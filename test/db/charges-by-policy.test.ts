import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import type { BillingPolicy } from '../../src/domain/billing-policy.ts';
import type { FinalJobStatus } from '../../src/domain/job-state.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { recordTeam } from '../support/given-record.ts';

const { database } = await databaseForTests();

interface Call {
  status: 'succeeded' | 'failed';
  purpose: string | null;
  failure: string | null;
  error: string | null;
  isShown: boolean;
}
const succeeded: Call = { status: 'succeeded', purpose: null, failure: null, error: null, isShown: false };
const failed: Call = { ...succeeded, status: 'failed', failure: 'error', error: 'no answer' };
const mistaken: Call = { ...failed, failure: 'context_length' };
const cutOff: Call = { ...failed, failure: null, error: 'cancelled', isShown: true };

const team = randomUUID();
beforeAll(() => recordTeam(database, team, team, 1_000));

interface Terms {
  billing_policy?: BillingPolicy | null;
  price_credits?: number | null;
}

async function givenJob(calls: Call[], { billing_policy = null, price_credits = null }: Terms = {}): Promise<string> {
  const job = randomUUID();
  await database.pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, status, billing_policy, price_credits, total_calls, failed_calls)
     values ($1, $2, $2, 'report', 'in_progress', $3, $4, $5, $6)`,
    [job, team, billing_policy, price_credits, calls.length, calls.filter(({ status }) => status === 'failed').length],
  );
  for (const { status, purpose, failure, error, isShown } of calls)
    await database.pool.query(
      `insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed, status, purpose, failure, error,
                          first_token_at, finished_at, recorded_at)
       values (gen_random_uuid(), $1, $2, 'chat', '[]', 'gpt', true, $3, $4, $5, $6, case when $7 then now() end, now(), now())`,
      [job, team, status, purpose, failure, error, isShown],
    );
  return job;
}

/** Charges the job with the statement of the product, as if its code had decided so. Resolves with the name of the rule that refuses it. */
const refusalOf = (job_id: string, status: FinalJobStatus, credits: number): Promise<string | undefined> =>
  settleJob(database, {
    ...endAsRecorded(job_id, status, status === 'failed' ? 'why' : null),
    billed_by: { budget_mode: 'job_based', credit_rate: null },
    credits,
  }).then(
    (settled) => expect(settled!.credit_applied).toBe(true) as undefined,
    (error: { constraint?: string; cause?: { constraint?: string } }) => error.constraint ?? error.cause?.constraint,
  );

test.each<[BillingPolicy | null, FinalJobStatus, Call[], boolean]>([
  ['completed', 'completed', [failed], true],
  ['completed', 'failed', [succeeded], false],
  ['completed', 'cancelled', [succeeded], false],
  ['superseded_ok', 'completed', [failed, succeeded, mistaken], true],
  ['superseded_ok', 'completed', [succeeded, failed], false],
  ['superseded_ok', 'failed', [succeeded], false],
  ['answered', 'failed', [succeeded, failed], true],
  ['answered', 'cancelled', [cutOff], true],
  ['answered', 'failed', [{ ...cutOff, error: 'deadline' }], true],
  ['answered', 'cancelled', [{ ...cutOff, isShown: false }], false],
  ['answered', 'completed', [{ ...cutOff, error: 'interrupted after the first token' }], false],
  ['answered', 'completed', [failed], false],
  ['answered', 'completed', [], false],
])(
  'the database lets the policy %s charge a %s job with the calls %j: %p (spec 21.8)',
  async (billing_policy, status, calls, isAllowed) => {
    const job = await givenJob(calls, { billing_policy });

    expect(await refusalOf(job, status, 1)).toBe(isAllowed ? undefined : 'charges_follow_the_policy');
  },
);

test.each([
  [null, 2],
  [5, 1],
  [5, 6],
  [0, 1],
])(
  'the database refuses that a job with the price %p is charged %i credits (spec 21.8)',
  async (price_credits, credits) => {
    expect(await refusalOf(await givenJob([], { price_credits }), 'completed', credits)).toBe(
      'job_based_charges_are_the_price',
    );
  },
);

test.each([
  ['a policy that does not allow its charge', "billing_policy = 'superseded_ok'", 'charges_follow_the_policy'],
  ['no policy', 'billing_policy = null', 'charges_follow_the_policy'],
  ['another price', 'price_credits = 6', 'job_based_charges_are_the_price'],
])('the database refuses that a charged job gets %s later (spec 21.8)', async (_, set, rule) => {
  const job = await givenJob([succeeded, failed], { billing_policy: 'answered', price_credits: 5 });
  expect(await refusalOf(job, 'completed', 5)).toBeUndefined();

  await expect(database.pool.query(`update jobs set ${set} where job_id = $1`, [job])).rejects.toMatchObject({
    constraint: rule,
  });
});

/** The rules of `spec 21.1` and `spec 21.2`, call by call. */
function factsByRule(calls: Call[]) {
  const isSuperseded = (call: Call, at: number) =>
    call.status === 'failed' &&
    calls.slice(at + 1).some((later) => later.status === 'succeeded' && (later.purpose ?? '') === (call.purpose ?? ''));
  const isMistake = ({ failure }: Call) => ['rejected', 'context_length', 'content_policy'].includes(failure ?? '');
  const isAnswered = ({ status, error, failure, isShown }: Call) =>
    status === 'succeeded' || (isShown && failure === null && (error === 'cancelled' || error === 'deadline'));
  return {
    superseded: calls.filter(isSuperseded).length,
    unexcused: calls.filter((call, at) => call.status === 'failed' && !isSuperseded(call, at) && !isMistake(call))
      .length,
    answered: calls.filter(isAnswered).length,
  };
}

test('the facts about the calls of a job are those of the rules, for any order of any calls (spec 21.1, spec 21.2)', async () => {
  const purpose = fc.constantFrom(null, '', 'draft', 'final');
  const failure = fc.constantFrom(null, 'rejected', 'context_length', 'content_policy', 'timeout', 'error');
  const error = fc.constantFrom('cancelled', 'deadline', 'the worker was lost', 'interrupted after the first token');
  const success = purpose.map((given) => ({ ...succeeded, purpose: given }));
  const anyFailure = fc.record({
    status: fc.constant('failed' as const),
    purpose,
    failure,
    error,
    isShown: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(success, anyFailure), { maxLength: 7 }), async (calls) => {
      const { rows } = await database.pool.query('select * from call_facts($1)', [await givenJob(calls)]);

      expect(rows).toEqual([factsByRule(calls)]);
    }),
    { numRuns: 60 },
  );
});
