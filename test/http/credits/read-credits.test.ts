import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

test('the balance has the credits and the settings of refills, charges and limits (spec 6.5, spec 6.9)', async () => {
  const team = await given.team({ credits: 5, credits_per_dollar: 0.5, rpm_limit: 9 });

  const balance = (await admin.get(`/api/credits/balance?team_id=${team.teamId}`)).body;

  expect(balance).toEqual({
    team_id: team.teamId,
    credits_allocated: 5,
    credits_used: 0,
    credits_remaining: 5,
    credit_limit: 5,
    auto_refill: false,
    refill_amount: null,
    refill_period: null,
    next_refill_at: null,
    last_refill_at: null,
    budget_mode: 'job_based',
    tokens_per_credit: null,
    credits_per_dollar: 0.5,
    low_balance_policy: 'allow',
    billing_policy: 'strict',
    usd_per_credit: null,
    reserve_credits: 1,
    job_budget_defaults: null,
    job_budget_maxima: null,
    credit_thresholds: [],
    refill_up_to: null,
    rpm_limit: 9,
    tpm_limit: null,
    max_concurrent_calls: null,
  });
  expect((await as(gateway, team).get('/api/credits/balance')).body).toEqual(balance);
});

test("a team's key reads its own account only; an admin has to name a team (spec 2.10, spec 6.5)", async () => {
  const [team, other] = [await given.team(), await given.team()];

  for (const path of ['/api/credits/balance', '/api/credits/transactions']) {
    expect((await as(gateway, team).get(`${path}?team_id=${team.teamId}`)).status).toBe(200);
    expect((await as(gateway, team).get(`${path}?team_id=${other.teamId}`)).status).toBe(403);
    expect((await admin.get(`${path}?team_id=unheard-of`)).status).toBe(404);
    expect(await admin.get(path)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'team_id'], type: 'missing' }] },
    });
  }
});

test('transactions are listed newest first, with the total that matches the query (spec 6.5, spec 6.14)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  expectOk(await as(gateway, team).complete(job));
  for (const credits_amount of [1, 2, 3]) {
    expectOk(await admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount }));
  }

  const all = (await as(gateway, team).get('/api/credits/transactions')).body;
  const page = (await as(gateway, team).get('/api/credits/transactions?limit=2&offset=1')).body;
  const deductions = (await as(gateway, team).get('/api/credits/transactions?transaction_type=deduction')).body;
  const listed = (await as(gateway, team).get(`/api/teams/${team.teamId}/credits/transactions?limit=2`)).body;

  expect(all.total).toBe(5);
  expect(all.transactions.map((row: { credits_after: number }) => row.credits_after)).toEqual([10, 7, 5, 4, 5]);
  expect(page).toEqual({ team_id: team.teamId, total: 5, transactions: all.transactions.slice(1, 3) });
  expect(deductions).toMatchObject({
    total: 1,
    transactions: [{ job_id: job, credits_amount: 1, reason: 'Job completed' }],
  });
  expect(listed).toEqual({ team_id: team.teamId, transactions: all.transactions.slice(0, 2) });
});

test.each(['limit=0', 'limit=1001', 'limit=1.5', 'offset=-1', 'transaction_type=gift'])(
  'the query %s of transactions is refused (spec 1.7)',
  async (query) => {
    const team = await given.team();

    expect((await as(gateway, team).get(`/api/credits/transactions?${query}`)).status).toBe(422);
  },
);
