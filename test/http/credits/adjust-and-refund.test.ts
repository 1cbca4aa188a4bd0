import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { readAudit } from '../../support/read-audit.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const adjust = (team: GivenTeam, body: object, headers?: Record<string, string>) =>
  admin.post(`/api/teams/${team.teamId}/credits/adjust`, body, headers);
const refund = (team: GivenTeam, body: object, headers?: Record<string, string>) =>
  admin.post(`/api/teams/${team.teamId}/credits/refund`, body, headers);
const balanceOf = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_remaining;

async function givenPaidJob(team: GivenTeam): Promise<string> {
  const job = await given.job(team);
  expectOk(await as(gateway, team).complete(job));
  return job;
}

afterEach(async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('an adjustment raises or lowers the balance and does not change the limit (spec 6.4, spec 6.12)', async () => {
  const team = await given.team({ credits: 5 });

  const up = expectOk(await adjust(team, { credits_amount: 3, reason: 'Goodwill' }));
  const down = expectOk(await adjust(team, { credits_amount: -8, reason: 'Mistake' }));

  expect(up).toMatchObject({ transaction_type: 'adjustment', credits_amount: 3, credits_before: 5, credits_after: 8 });
  expect(down).toMatchObject({ credits_amount: -8, credits_before: 8, credits_after: 0, credits_remaining: 0 });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_allocated: 0, credit_limit: 5 });
  expect((await readAudit(gateway.current, team.teamId))[0]).toMatchObject({ action: 'adjusted_credits' });
});

test('an adjustment below 0 is refused for a fixed budget, and accepted for an unlimited one (spec 6.3, spec 6.4, spec 6.16)', async () => {
  const fixed = await given.team({ credits: 5 });
  const unlimited = await given.team({ credits: 5, credit_limit: null });

  expect(await adjust(fixed, { credits_amount: -6, reason: 'Too much' })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'credits_amount'], type: 'value_error' }] },
  });
  expectOk(await adjust(unlimited, { credits_amount: -6, reason: 'Too much' }));

  expect([await balanceOf(fixed), await balanceOf(unlimited)]).toEqual([5, -1]);
});

test.each([
  [{ credits_amount: 0, reason: 'a' }],
  [{ credits_amount: 1.5, reason: 'a' }],
  [{ credits_amount: 2_147_483_648, reason: 'a' }],
  [{ credits_amount: -2_147_483_648, reason: 'a' }],
  [{ credits_amount: 1 }],
  [{ credits_amount: 1, reason: '' }],
  [{ reason: 'a' }],
])('the adjustment %j is refused (spec 6.4)', async (body) => {
  const team = await given.team({ credits: 5 });

  expect((await adjust(team, body)).status).toBe(422);
  expect(await balanceOf(team)).toBe(5);
});

test.each([2_147_483_647, -2_147_483_647])(
  'an adjustment by %i beyond the range of a balance is refused',
  async (amount) => {
    const team = await given.team({ credits: 5, credit_limit: null });
    expectOk(await adjust(team, { credits_amount: Math.sign(amount) * 10, reason: 'a' }));

    expect((await adjust(team, { credits_amount: amount, reason: 'a' })).status).toBe(422);
  },
);

test('a refund returns the charge of a job once (spec 6.4, spec 6.12)', async () => {
  const team = await given.team({ credits: 5 });
  const job_id = await givenPaidJob(team);

  const refunded = await refund(team, { job_id, reason: 'Bad answer' });

  expect(refunded.body).toMatchObject({
    transaction_type: 'refund',
    job_id,
    credits_amount: 1,
    credits_before: 4,
    credits_after: 5,
    credits_remaining: 5,
    reason: 'Bad answer',
  });
  expect(await refund(team, { job_id })).toMatchObject({ status: 409, body: { detail: 'Job is already refunded' } });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 0, credits_remaining: 5, credit_limit: 5 });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job_id}`)).credit_applied).toBe(true);
  expect((await readAudit(gateway.current, team.teamId))[0]).toMatchObject({
    action: 'refunded_credits',
    details: { job_id, reason: 'Bad answer' },
  });
});

test('twenty simultaneous refunds of a job return its charge once, also if the team has paid for other jobs (spec 6.4)', async () => {
  const team = await given.team({ credits: 5 });
  const [job_id] = await Promise.all([givenPaidJob(team), givenPaidJob(team), givenPaidJob(team)]);

  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(team, { job_id, reason: 'race' })));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 2, credits_remaining: 3 });
});

test('refunds and adjustments with an Idempotency-Key are executed once, also if the process ended before its answer (spec 10.8)', async () => {
  const team = await given.team({ credits: 5 });
  const job_id = await givenPaidJob(team);
  const headers = { 'idempotency-key': unique('key') };
  const refunded = expectOk(await refund(team, { job_id }, headers));
  const adjusted = expectOk(await adjust(team, { credits_amount: -2, reason: 'a' }, headers));
  await deleteStoredAnswers(gateway.current);

  expect(expectOk(await refund(team, { job_id }, headers))).toEqual(refunded);
  expect(expectOk(await adjust(team, { credits_amount: -2, reason: 'a' }, headers))).toEqual(adjusted);

  expect(await balanceOf(team)).toBe(3);
});

test('a refund without a deduction of the team for the job is refused (spec 6.4)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const job_id = await givenPaidJob(team);
  const open = await given.job(team);

  expect((await refund(other, { job_id })).status).toBe(404);
  expect(await refund(team, { job_id: open })).toMatchObject({
    status: 409,
    body: { detail: 'Job has no deduction to refund' },
  });
  expect((await refund(team, { job_id: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
  expect((await refund(team, { job_id: 'not-a-uuid' })).status).toBe(422);
  expect((await admin.post('/api/teams/unheard-of/credits/refund', { job_id })).status).toBe(404);
});
