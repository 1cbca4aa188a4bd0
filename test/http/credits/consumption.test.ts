import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const largest = 2_147_483_647;

test.each([
  ['as large as the largest balance is deducted', largest, true],
  ['larger than any balance is not, and not in part', largest + 1, false],
])('a charge %s (spec 6.10, spec 6.11)', async (_, credits, credit_applied) => {
  const rate = { budget_mode: 'consumption_usd', credits_per_dollar: credits };
  const team = await given.team({ models: ['sim-cost-1000000'], credits: largest, ...rate });
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));

  const { costs } = expectOk(await as(gateway, team).complete(job));

  const credits_remaining = credit_applied ? 0 : largest;
  expect(costs).toMatchObject({ total_cost_usd: 1, credit_applied, credits_remaining });
});
