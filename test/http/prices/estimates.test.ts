import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

/** A team whose model costs 1,000 USD per million prompt tokens and 2,000 USD per million completion tokens. */
async function givenTeam(model_name: string): Promise<GivenTeam> {
  const group_name = unique('priced');
  await given.admin('post', '/api/model-groups/create', {
    group_name,
    display_name: group_name,
    models: [{ model_name, priority: 0, input_price_per_million: 1_000, output_price_per_million: 2_000 }],
  });
  return { ...(await given.team({ model_groups: [group_name] })), modelGroup: group_name };
}

const shown = 'select from calls where job_id = $1 and first_token_at is not null';
const isShown = async (job: string) => (await gateway.current.deps.database.pool.query(shown, [job])).rowCount === 1;
const estimatedOf = async ({ teamId }: GivenTeam) =>
  expectOk(await admin.get(`/api/usage/margins?team_id=${teamId}`)).total.estimated_cost_usd;

test('a stream that is cancelled after its first token has an estimate for admins, which no costs and no team’s answer have (spec 21.10)', async () => {
  const team = await givenTeam('sim-tokens-400-every-20');
  const job = await given.job(team);
  const stream = as(gateway, team).stream(job, { messages: [{ role: 'user', content: 'x'.repeat(4_000) }] });
  await until(() => isShown(job));

  const { costs } = expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  const text = (await stream).text;

  const nothing = { total_tokens: 0, total_cost_usd: 0 };
  expect(costs).toMatchObject(nothing);
  const forAdmin = expectOk(await admin.get(`/api/jobs/${job}/costs`));
  const forTeam = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`));
  expect(forAdmin.costs).toMatchObject(nothing);
  const [call] = forAdmin.breakdown;
  const [attempt] = call.attempts;
  expect(call).toMatchObject({ total_tokens: 0, cost_usd: 0, estimated: true, estimated_cost_usd: attempt.cost_usd });
  expect(attempt).toMatchObject({ outcome: 'cancelled', estimated: true });
  expect(attempt.prompt_tokens).toBeGreaterThan(1_000);
  expect(attempt.prompt_tokens).toBeLessThan(1_100);
  expect(attempt.completion_tokens).toBeGreaterThan(0);
  expect(attempt.completion_tokens).toBeLessThan(text.length);
  expect(attempt.cost_usd).toBeCloseTo((attempt.prompt_tokens + 2 * attempt.completion_tokens) / 1_000, 9);
  expect(JSON.stringify(forTeam)).not.toContain('estimated');
  expect(await estimatedOf(team)).toBe(attempt.cost_usd);
  const { estimated_cost_usd, cost_usd } = expectOk(await admin.get(`/api/overview?team_id=${team.teamId}`));
  expect([estimated_cost_usd.value, cost_usd.value]).toEqual([attempt.cost_usd, 0]);
  expect(expectOk(await as(gateway, team).get('/api/overview'))).not.toHaveProperty('estimated_cost_usd');
  const { calls } = expectOk(await admin.get(`/api/jobs/${job}/timeline`));
  expect(calls).toMatchObject([{ estimated: true, estimated_cost_usd: attempt.cost_usd, cost_usd: 0 }]);
});

test('a call that is cancelled before its answer has an estimate of its request, in which an image counts 1,000 tokens (spec 21.10)', async () => {
  const model = 'sim-slow-60000-as-estimated';
  const team = await givenTeam(model);
  const job = await given.job(team);
  const url = `data:image/png;base64,${'A'.repeat(400_000)}`;
  const call = as(gateway, team).post('/v1/chat/completions', {
    model: team.modelGroup,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
    metadata: { job_id: job },
  });
  await untilRequested(gateway, model);

  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await call;

  const [{ attempts }] = expectOk(await admin.get(`/api/jobs/${job}/costs`)).breakdown;
  expect(attempts).toMatchObject([{ outcome: 'cancelled', completion_tokens: 0, estimated: true }]);
  expect(attempts[0].prompt_tokens).toBeGreaterThan(1_000);
  expect(attempts[0].prompt_tokens).toBeLessThan(1_200);
});

test.each([
  ['succeeds', 'sim-ok', 200],
  ['fails', 'sim-fail-400', 500],
])('an attempt that %s has no estimate (spec 21.10)', async (_, model, status) => {
  const team = await givenTeam(model);
  const job = await given.job(team);
  expect((await as(gateway, team).call(job)).status).toBe(status);

  const { breakdown } = expectOk(await admin.get(`/api/jobs/${job}/costs`));

  expect(breakdown[0]).not.toHaveProperty('estimated');
  expect(breakdown[0].attempts[0]).not.toHaveProperty('estimated');
  expectOk(await as(gateway, team).complete(job));
  expect(await estimatedOf(team)).toBe(0);
});
