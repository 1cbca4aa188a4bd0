import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test.each([
  ['nothing, with true prices and an upstream that keeps max_tokens', 'sim-no-cost-tokens-400', 0],
  ['the true cost of its calls above their reservations, with prices that are too low', 'sim-cost-3000', 0.002],
])(
  'what a job costs beyond its cap after many calls at once is at most %s (spec 23.12)',
  async (_, word, aboveEach) => {
    const model = `${word}-as-${unique('bound')}`;
    const team = await given.team({ models: [model], rpm_limit: 1_000, tpm_limit: 100_000_000 });
    const members = [{ model_name: model, input_price_per_million: 1, output_price_per_million: 10 }];
    await given.admin('put', `/api/model-groups/${team.modelGroup}`, { models: members });
    const cap = 0.01;
    const job = await given.job(team, { budget: { max_cost_usd: cap } });

    for (let round = 1; round <= 4; round += 1)
      await Promise.all(Array.from({ length: 12 }, () => as(gateway, team).call(job, { max_tokens: 100 })));

    const { spent, held } = expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).budget;
    expect(held.cost_usd).toBe(0);
    expect(spent.calls).toBeGreaterThan(3);
    // Each call has reserved a little more than 0.001 USD.
    expect(spent.cost_usd - cap).toBeLessThanOrEqual(spent.calls * aboveEach);
    if (aboveEach > 0) expect(spent.cost_usd).toBeGreaterThan(cap);
    expect(await checkLedger(gateway.current.deps.database, { inFlight: true })).toEqual([]);
  },
);
