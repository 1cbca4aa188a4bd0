import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { setPrice } from './given-prices.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

type Policy = 'strict' | 'superseded_ok' | 'completed' | 'answered';

interface PricedTeam extends GivenTeam {
  /** The groups by what becomes of their calls. */
  groups: Record<'ok' | 'failing' | 'mistaken' | 'streaming', string>;
}

/** A team whose reports cost 3 credits by the policy. */
async function givenTeam(billing_policy: Policy): Promise<PricedTeam> {
  const models = {
    ok: 'sim-ok',
    failing: 'sim-fail-500',
    mistaken: 'sim-overflow-code',
    streaming: 'sim-tokens-200-every-20',
  };
  const groups = { ok: '', failing: '', mistaken: '', streaming: '' };
  for (const [name, model] of Object.entries(models)) groups[name as 'ok'] = await given.modelGroup([model]);
  const team = await given.team({ credits: 10, model_groups: Object.values(groups), billing_policy });
  await setPrice(gateway, team.teamId, 'report', { credits: 3 });
  return { ...team, groups };
}

/** A job after its calls: `ok`, `failing/draft` for a call with a purpose. */
async function jobWith(team: PricedTeam, calls: string[]): Promise<string> {
  const job = await given.job(team);
  for (const call of calls) {
    const [group, purpose] = call.split('/') as ['ok', string | undefined];
    const { status } = await as(gateway, team).call(job, {
      model_group: team.groups[group],
      ...(purpose && { purpose }),
    });
    expect(status).toBe(group === 'ok' ? 200 : 500);
  }
  return job;
}

const endings = {
  completed: (team: GivenTeam, job: string) => as(gateway, team).complete(job),
  failed: (team: GivenTeam, job: string) => as(gateway, team).complete(job, 'failed'),
  cancelled: (team: GivenTeam, job: string) => as(gateway, team).post(`/api/jobs/${job}/cancel`),
};

const verdictOf = async (team: GivenTeam, job: string) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/timeline`)).verdict;

test.each<[Policy, string[], keyof typeof endings, number, number, string]>([
  ['strict', ['ok'], 'completed', 3, 0, 'charged'],
  ['strict', ['failing', 'ok'], 'completed', 0, 1, 'failed_calls'],
  ['strict', ['ok'], 'failed', 0, 0, 'failed'],
  ['superseded_ok', ['failing', 'ok'], 'completed', 3, 1, 'charged'],
  ['superseded_ok', ['ok', 'failing'], 'completed', 0, 0, 'failed_calls'],
  ['superseded_ok', ['failing/a', 'ok/b'], 'completed', 0, 0, 'failed_calls'],
  ['superseded_ok', ['failing/a', 'failing/a', 'ok/b', 'ok/a'], 'completed', 3, 2, 'charged'],
  ['superseded_ok', ['failing', 'ok/a'], 'completed', 0, 0, 'failed_calls'],
  ['superseded_ok', ['ok', 'mistaken'], 'completed', 3, 0, 'charged'],
  ['superseded_ok', ['mistaken'], 'completed', 3, 0, 'charged'],
  ['superseded_ok', ['failing', 'ok'], 'failed', 0, 1, 'failed'],
  ['completed', ['ok', 'failing'], 'completed', 3, 0, 'charged'],
  ['completed', ['failing'], 'completed', 3, 0, 'charged'],
  ['completed', ['ok'], 'failed', 0, 0, 'failed'],
  ['completed', ['ok'], 'cancelled', 0, 0, 'cancelled'],
  ['answered', ['ok', 'failing'], 'failed', 3, 0, 'charged'],
  ['answered', ['failing', 'ok'], 'cancelled', 3, 1, 'charged'],
  ['answered', ['ok'], 'completed', 3, 0, 'charged'],
  ['answered', ['failing'], 'completed', 0, 0, 'failed_calls'],
  ['answered', ['failing'], 'failed', 0, 0, 'failed'],
  ['answered', [], 'completed', 0, 0, 'failed_calls'],
])(
  'under the policy %s a job with the calls %j that is %s is charged %i credits (spec 21.1, spec 21.2, spec 21.5)',
  async (policy, calls, ending, credits, superseded_calls, rule) => {
    const team = await givenTeam(policy);
    const job = await jobWith(team, calls);

    const ended = expectOk(await endings[ending](team, job));

    const costs = {
      price_credits: 3,
      credits_charged: credits,
      superseded_calls,
      credit_applied: credits > 0,
      credits_remaining: 10 - credits,
    };
    expect(ended).toMatchObject({ status: ending, costs });
    expect(expectOk(await endings[ending](team, job))).toEqual(ended);
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`)).costs).toMatchObject(costs);
    expect(await verdictOf(team, job)).toMatchObject({
      charged: credits > 0,
      credits,
      rule,
      inputs: { price_credits: 3, billing_policy: policy, superseded_calls },
    });
    expect((await as(gateway, team).credits()).credits_remaining).toBe(10 - credits);
  },
);

test.each([
  ['answered', 3],
  ['strict', 0],
  ['completed', 0],
] as const)(
  'a job under the policy %s whose stream is cancelled after its first token is charged %i credits (spec 21.1)',
  async (policy, credits) => {
    const team = await givenTeam(policy);
    const job = await given.job(team);
    const stream = as(gateway, team).stream(job, { model_group: team.groups.streaming });
    const shown = 'select from calls where job_id = $1 and first_token_at is not null';
    await until(async () => (await gateway.current.deps.database.pool.query(shown, [job])).rowCount === 1);

    const { costs, calls } = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
    await stream;

    expect(calls).toMatchObject([{ error: 'cancelled' }]);
    expect(costs).toMatchObject({ failed_calls: 1, credits_charged: credits, credit_applied: credits > 0 });
  },
);

test('a job under the policy answered whose call is cancelled before its first token is free (spec 21.1)', async () => {
  const team = await given.team({ models: ['sim-slow-60000'], billing_policy: 'answered' });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  const running = "select from calls where job_id = $1 and status = 'running'";
  await until(async () => (await gateway.current.deps.database.pool.query(running, [job])).rowCount === 1);

  const { costs } = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await call;

  expect(costs).toMatchObject({ failed_calls: 1, credits_charged: 0, credit_applied: false });
});

test.each<[Policy, string, string, number]>([
  ['strict', 'sim-ok', 'completed', 3],
  ['answered', 'sim-ok', 'completed', 3],
  ['superseded_ok', 'sim-ok', 'completed', 3],
  ['completed', 'sim-fail-500', 'failed', 0],
  ['answered', 'sim-fail-500', 'failed', 0],
  ['answered', 'sim-overflow-code', 'failed', 0],
])(
  'a single-call job under the policy %s whose model is %s is %s and charged %i credits (spec 21.1)',
  async (billing_policy, model, status, credits) => {
    const team = await given.team({ credits: 10, models: [model], billing_policy });
    await setPrice(gateway, team.teamId, 'report', { credits: 3 });

    const { headers, body } = await as(gateway, team).single();

    const job = headers.get('x-job-id')!;
    const terms = { price_credits: 3, credits_charged: credits, superseded_calls: 0 };
    if (status === 'completed') expect(body.costs).toMatchObject(terms);
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({ status });
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`)).costs).toMatchObject(terms);
    expect((await as(gateway, team).credits()).credits_remaining).toBe(10 - credits);
  },
);

test('settings and prices that change after a job was created do not change what it is charged (spec 21.3)', async () => {
  const team = await givenTeam('completed');
  const jobs = [await jobWith(team, ['ok', 'failing']), await jobWith(team, ['ok'])];
  await asAdmin(gateway).put(`/api/teams/${team.teamId}`, { billing_policy: 'strict', usd_per_credit: 9 });
  await setPrice(gateway, team.teamId, 'report', { credits: 7, billing_policy: 'answered' });

  const ended = [
    expectOk(await endings.completed(team, jobs[0]!)),
    expectOk(await endings.failed(team, jobs[1]!)),
    expectOk(await endings.failed(team, await jobWith(team, ['ok']))),
  ];

  expect(ended.map(({ costs }) => costs.credits_charged)).toEqual([3, 0, 7]);
});

test('a job with the default price and policy has no further fields in its costs and verdict (money G1, spec 21.5)', async () => {
  const team = await given.team();
  await setPrice(gateway, team.teamId, 'report', { credits: 1, billing_policy: 'strict' });
  const job = await given.job(team);

  const { costs } = expectOk(await as(gateway, team).complete(job));

  expect(Object.keys(costs)).toEqual([
    ...['total_calls', 'successful_calls', 'failed_calls', 'total_tokens', 'total_cost_usd', 'avg_latency_ms'],
    ...['credit_applied', 'credits_remaining'],
  ]);
  const { inputs } = await verdictOf(team, job);
  expect(inputs).not.toHaveProperty('billing_policy');
  expect(inputs).not.toHaveProperty('superseded_calls');
});

test('a job with a price of 0 completes without a ledger row, and its verdict is price_zero (spec 21.4, spec 21.5)', async () => {
  const team = await given.team();
  await setPrice(gateway, team.teamId, 'report', { credits: 0 });
  const job = await given.job(team);

  const open = await verdictOf(team, job);
  const { costs } = expectOk(await as(gateway, team).complete(job));

  expect(open).toMatchObject({ rule: 'open', inputs: { price_credits: 0 } });
  expect(costs).toMatchObject({ credit_applied: false, price_credits: 0, credits_charged: 0, credits_remaining: 5 });
  expect(await verdictOf(team, job)).toMatchObject({ rule: 'price_zero', credits: 0 });
  const { transactions } = expectOk(
    await as(gateway, team).get('/api/credits/transactions?transaction_type=deduction'),
  );
  expect(transactions).toEqual([]);
});

test('a price that the balance does not cover is not charged, and the job completes (spec 21.4)', async () => {
  const team = await given.team({ credits: 2 });
  await setPrice(gateway, team.teamId, 'report', { credits: 3 });
  const job = await given.job(team);

  const { costs } = expectOk(await as(gateway, team).complete(job));

  expect(costs).toMatchObject({ credit_applied: false, price_credits: 3, credits_charged: 0, credits_remaining: 2 });
  expect(await verdictOf(team, job)).toMatchObject({ rule: 'balance_too_low' });
});

test('a charged job that failed is refunded, and its ledger row names its end (spec 21.1, spec 6.4)', async () => {
  const team = await givenTeam('answered');
  const job = await jobWith(team, ['ok']);
  expectOk(await endings.failed(team, job));

  const { transactions } = expectOk(await as(gateway, team).get('/api/credits/transactions'));
  const refund = await asAdmin(gateway).post(`/api/teams/${team.teamId}/credits/refund`, { job_id: job });

  expect(transactions[0]).toMatchObject({ transaction_type: 'deduction', credits_amount: 3, reason: 'Job failed' });
  expect(expectOk(refund)).toMatchObject({ credits_amount: 3, credits_remaining: 10 });
  expect(await verdictOf(team, job)).toMatchObject({ rule: 'refunded', credits: 3 });
});
