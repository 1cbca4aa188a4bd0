import { closeCall } from '../../../src/db/calls/close-call.ts';
import { recordCost } from '../../../src/db/calls/record-cost.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests({ settings: { UPSTREAM_TIMEOUT_SECONDS: '1' } });
const given = givenIn(gateway);

const max_tokens = 500;

/** A job with caps of tokens and USD, of a team whose models have prices. */
async function givenCapped(words: string[]) {
  const models = words.map((word) => `${word}-as-${unique('model')}`);
  const team = await given.team({ models, rpm_limit: 1_000, tpm_limit: 100_000_000 });
  const members = models.map((model_name) => ({ model_name, input_price_per_million: 1, output_price_per_million: 2 }));
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, { models: members });
  const job = await given.job(team, { budget: { max_tokens: 100_000, max_cost_usd: 1 } });
  const budget = async () => expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).budget;
  /** What a call of `max_tokens` reserves. */
  const reserved = async () => {
    const { rows } = await gateway.current.deps.database.pool.query(
      'select held_tokens::int as tokens, held_usd::float as cost_usd from calls where job_id = $1',
      [job],
    );
    return rows[0] as { tokens: number; cost_usd: number };
  };
  const isRunning = async () => {
    const { pool } = gateway.current.deps.database;
    const { rows } = await pool.query("select from calls where job_id = $1 and status = 'running'", [job]);
    return rows.length > 0 && gateway.current.simulator.requestsFor({ model: models.at(-1)! }).length > 0;
  };
  return { team, job, budget, reserved, isRunning };
}

test.each([
  ['a usage and a cost', ['sim-tokens-10-prompt-tokens-20'], { tokens: false, cost: false }],
  ['no usage and a cost', ['sim-no-usage-cost-7'], { tokens: true, cost: false }],
  ['neither usage nor cost', ['sim-no-usage-no-cost'], { tokens: true, cost: true }],
  ['an answer of another model, after a refusal', ['sim-fail-500', 'sim-tokens-10'], { tokens: false, cost: false }],
  ['an answer of another model, after a timeout', ['sim-hang', 'sim-tokens-10'], { tokens: true, cost: true }],
  ['a refusal', ['sim-fail-500'], { tokens: false, cost: false }],
  ['a timeout', ['sim-hang'], { tokens: true, cost: true }],
  ['a broken connection', ['sim-stream-cut-1'], { tokens: true, cost: true }],
])(
  'a call with %s counts with its reservation where nobody knows its tokens or its cost (spec 23.8)',
  async (_, words, assumed) => {
    const { team, job, budget, reserved } = await givenCapped(words);

    await as(gateway, team).call(job, { max_tokens });

    const { spent, held, assumed: beyond } = await budget();
    const { costs } = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`));
    const { tokens, cost_usd } = await reserved();
    expect(held).toEqual({ tokens: 0, cost_usd: 0, calls: 0 });
    expect([spent.tokens, spent.cost_usd]).toEqual([
      assumed.tokens ? tokens : costs.total_tokens,
      assumed.cost ? cost_usd : costs.total_cost_usd,
    ]);
    expect(beyond).toEqual({
      tokens: assumed.tokens ? tokens - costs.total_tokens : 0,
      cost_usd: assumed.cost ? expect.closeTo(cost_usd - costs.total_cost_usd, 12) : 0,
    });
  },
);

test('a stream that is cut off by a cancel counts with its reservation, which is not billed (spec 23.8)', async () => {
  const { team, job, budget, reserved, isRunning } = await givenCapped(['sim-stream-stall-2']);
  const stream = as(gateway, team).stream(job, { max_tokens });
  await until(isRunning);

  const { costs } = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await stream;

  const { tokens, cost_usd } = await reserved();
  expect(costs).toMatchObject({ total_tokens: 0, total_cost_usd: 0 });
  expect(await budget()).toMatchObject({ spent: { tokens, cost_usd, calls: 1 }, assumed: { tokens, cost_usd } });
});

test('a call that is closed counts with its reservation if a worker has started it, and else with nothing (spec 23.8)', async () => {
  const { team, job, budget, isRunning } = await givenCapped(['sim-slow-60000']);
  const { database } = gateway.current.deps;
  const call = as(gateway, team).call(job, { max_tokens });
  await until(isRunning);
  const { call_id } = (await database.pool.query('select call_id from calls where job_id = $1', [job])).rows[0];
  await closeCall(database, call_id, 'failed', 'the worker was lost');
  const { held } = await budget();
  await recordCost(database, job);

  expect(await budget()).toMatchObject({
    held: { tokens: 0 },
    spent: { tokens: held.tokens },
    assumed: { tokens: held.tokens },
  });
  await database.pool.query('delete from call_attempts where call_id = $1', [call_id]);
  await database.pool.query('update calls set worker_attempt = 0, recorded_at = null where job_id = $1', [job]);
  await database.pool.query(
    'update jobs set total_calls = 0, failed_calls = 0, assumed_tokens = 0, assumed_cost_usd = 0 where job_id = $1',
    [job],
  );
  await recordCost(database, job);
  expect(await budget()).toMatchObject({ held: { tokens: 0 }, spent: { tokens: 0, calls: 1 }, assumed: { tokens: 0 } });
  await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await call;
});
