import { asAdmin } from '../../support/as-admin.ts';
import { type Gateway, gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { setPrice } from './given-prices.ts';

const limits = { RATE_LIMIT_READS_PER_MINUTE: '10000', RATE_LIMIT_REQUESTS_PER_MINUTE: '10000' };
const unpriced = gatewayForTests({ settings: limits });
const priced = gatewayForTests({ settings: { ...limits, USD_PER_CREDIT: '0.25' } });

/** A team that is charged 3 credits for each job. */
async function chargedTeam(
  gateway: { readonly current: Gateway },
  fields: Record<string, unknown> = {},
): Promise<GivenTeam> {
  const team = await givenIn(gateway).team({ credits: 20, ...fields });
  await setPrice(gateway, team.teamId, 'report', { credits: 3 });
  return team;
}

const charge = async (gateway: { readonly current: Gateway }, team: GivenTeam) =>
  expectOk(await as(gateway, team).complete(await givenIn(gateway).job(team)));

const marginsOf = async (gateway: { readonly current: Gateway }, { teamId }: Pick<GivenTeam, 'teamId'>) =>
  expectOk(await asAdmin(gateway).get(`/api/usage/margins?group_by=team_id&team_id=${teamId}`));

const today = new Date().toISOString().slice(0, 10);

test('without USD_PER_CREDIT revenue is that of the teams with a price of their own (spec 21.7, spec 19.42)', async () => {
  const gateway = unpriced;
  const admin = asAdmin(gateway);
  const plain = await chargedTeam(gateway);
  await charge(gateway, plain);
  expect((await marginsOf(gateway, plain)).total).toMatchObject({ revenue_usd: null, margin_usd: null, credits: 3 });
  expect((await admin.get('/api/usage/series?metric=revenue_usd')).status).toBe(422);
  expect(expectOk(await admin.get('/api/overview')).margin_usd.value).toBeNull();

  const team = await chargedTeam(gateway, { usd_per_credit: 0.5 });
  await charge(gateway, team);

  expect(await marginsOf(gateway, team)).toMatchObject({
    usd_per_credit: null,
    total: { revenue_usd: 1.5, margin_usd: 1.5 },
  });
  expect((await marginsOf(gateway, plain)).total).toMatchObject({ revenue_usd: null, margin_percent: null });
  const range = `from=${today}`;
  const all = expectOk(await admin.get(`/api/usage/margins?${range}`)).total;
  expect(all).toMatchObject({ revenue_usd: 1.5, credits: 6 });
  expect(expectOk(await admin.get(`/api/overview?${range}`)).margin_usd.value).toBe(all.margin_usd);
  const series = expectOk(await admin.get(`/api/usage/series?metric=revenue_usd&group_by=team_id&${range}`));
  expect(series.total).toBe(1.5);
  expect(series.groups.map(({ key, total }: { key: string; total: number }) => [key, total])).toEqual([
    [team.teamId, 1.5],
    [plain.teamId, 0],
  ]);
  expect(expectOk(await as(gateway, team).get('/api/overview')).margin_usd).toMatchObject({
    value: null,
    previous: null,
  });
});

test('the price of a credit of a team comes before USD_PER_CREDIT, as it was when the job was created (spec 21.7)', async () => {
  const gateway = priced;
  const [own, free, plain] = [
    await chargedTeam(gateway, { usd_per_credit: 0.1 }),
    await chargedTeam(gateway, { usd_per_credit: 0 }),
    await chargedTeam(gateway),
  ];
  const job = await givenIn(gateway).job(own);
  await asAdmin(gateway).put(`/api/teams/${own.teamId}`, { usd_per_credit: 7 });
  expectOk(await as(gateway, own).complete(job));
  for (const team of [free, plain]) await charge(gateway, team);

  expect((await marginsOf(gateway, own)).total.revenue_usd).toBe(0.3);
  expect((await marginsOf(gateway, free)).total.revenue_usd).toBe(0);
  expect((await marginsOf(gateway, plain)).total.revenue_usd).toBe(0.75);
  const kept = `select usd_per_credit::text from credit_transactions where job_id is not null and team_id = any ($1) order by position`;
  const { rows } = await gateway.current.deps.database.pool.query(kept, [[own.teamId, free.teamId, plain.teamId]]);
  expect(rows.map(({ usd_per_credit }) => usd_per_credit)).toEqual(['0.1', '0', '0.25']);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('a charge from before its team had a price counts at the present one, and a refund takes what the charge has added (spec 19.42)', async () => {
  const gateway = unpriced;
  const team = await chargedTeam(gateway);
  const { job_id } = await charge(gateway, team);
  await asAdmin(gateway).put(`/api/teams/${team.teamId}`, { usd_per_credit: 2 });
  await charge(gateway, team);

  const before = (await marginsOf(gateway, team)).total.revenue_usd;
  const refund = { job_id, reason: 'wrong' };
  expectOk(await asAdmin(gateway).post(`/api/teams/${team.teamId}/credits/refund`, refund));
  const { rows } = await gateway.current.deps.database.pool.query(
    'select revenue_usd::float as revenue, priced_credits::int as priced from daily_usage where team_id = $1',
    [team.teamId],
  );

  expect(before).toBe(12);
  expect(rows).toEqual([{ revenue: 6, priced: 3 }]);
});
