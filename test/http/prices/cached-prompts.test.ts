import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { chatWith } from '../openai/chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const figures = 'no-cost-prompt-tokens-1000-cached-900-written-50-tokens-10';
const prices = {
  ...{ input_price_per_million: 3, output_price_per_million: 15 },
  ...{ cached_input_price_per_million: 0.3, cache_write_price_per_million: 3.75 },
};
/** 50 tokens for 3, 900 for 0.3, 50 for 3.75 and 10 for 15 USD per million. */
const cost = 0.0007575;

const costOf = async (jobId: string | null) =>
  Number((await given.admin('get', `/api/jobs/${jobId}/costs`)).costs.total_cost_usd);

test.each([false, true])(
  'cached and written tokens cost what the member says, streamed: %p, and the usage of a chat shows the cached alone (spec 30.8, spec 30.9)',
  async (stream) => {
    const model = `sim-${figures}-as-${unique('model')}`;
    const team = await given.team({ models: [model] });
    const group = await given.admin('put', `/api/model-groups/${team.modelGroup}`, {
      models: [{ model_name: model, ...prices }],
    });

    const answer = await chatWith(gateway, team)({ stream, stream_options: { include_usage: true } });

    expect(group.models).toMatchObject([prices]);
    expect(await costOf(answer.headers.get('x-job-id'))).toBeCloseTo(cost, 12);
    expect(answer.text).toContain('"prompt_tokens_details":{"cached_tokens":900}');
    expect(answer.text).not.toMatch(/writ|creation/);
  },
);

test('an alias has prices of cached and written tokens, which null clears (spec 30.9)', async () => {
  const access = await given.accessGroup();
  const alias = await given.alias({ access_groups: [access], model_name: `sim-${figures}`, ...prices });
  const team = await given.team({ access_groups: [access] });
  const chat = chatWith(gateway, team);

  const priced = await chat({ model: alias });
  const cleared = await given.admin('put', `/api/model-aliases/${alias}`, {
    cached_input_price_per_million: null,
    cache_write_price_per_million: null,
  });
  const unpriced = await chat({ model: alias });

  expect(await costOf(priced.headers.get('x-job-id'))).toBeCloseTo(cost, 12);
  expect(cleared).toMatchObject({ input_price_per_million: 3, cached_input_price_per_million: null });
  expect(await costOf(unpriced.headers.get('x-job-id'))).toBeCloseTo(0.00315, 12);
});

test.each([
  ['cached_input_price_per_million', -1, 'greater_than_equal'],
  ['cache_write_price_per_million', 1_000_000_001, 'less_than_equal'],
  ['cache_write_price_per_million', '1', 'float_type'],
])('a price %s of %p is refused (spec 30.9)', async (field, value, type) => {
  const team = await given.team();
  const { masterKey, url } = gateway.current;
  const answer = await fetch(`${url}/api/model-groups/${team.modelGroup}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ models: [{ model_name: 'sim-ok', [field]: value }] }),
  });

  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ detail: [{ loc: ['body', 'models', 0, field], type }] });
});

test('a budget reserves a prompt by the dearest price that it may have (spec 30.9)', async () => {
  const model = `sim-${figures}-as-${unique('model')}`;
  const team = await given.team({ models: [model] });
  const member = { model_name: model, input_price_per_million: 0, output_price_per_million: 0 };
  const setPrice = (cache_write_price_per_million: number | null) =>
    given.admin('put', `/api/model-groups/${team.modelGroup}`, {
      models: [{ ...member, cache_write_price_per_million }],
    });
  const call = async () => {
    const job = await given.job(team, { budget: { max_cost_usd: 0.000001 } });
    return as(gateway, team).call(job);
  };

  await setPrice(1_000);
  const refused = await call();
  await setPrice(null);

  expect(refused).toMatchObject({ status: 402, body: { code: 'job_budget_reached', cap: 'max_cost_usd' } });
  expectOk(await call());
});
