import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const pathOf = ({ teamId }: { teamId: string }) => `/api/credits/teams/${teamId}/conversion-rates`;

test('a team without rates of its own has the default rates, which the answer marks (spec 6.15)', async () => {
  const team = await given.team();

  expect((await admin.get(pathOf(team))).body).toEqual({
    team_id: team.teamId,
    tokens_per_credit: 10_000,
    credits_per_dollar: 10,
    budget_mode: 'job_based',
    using_defaults: { tokens_per_credit: true, credits_per_dollar: true },
  });
});

test('each conversion rate changes on its own, and null selects the default (spec 6.15)', async () => {
  const team = await given.team();

  const changed = expectOk(await admin.patch(pathOf(team), { credits_per_dollar: 0.1 }));
  expect(changed).toMatchObject({ team_id: team.teamId, tokens_per_credit: 10_000, credits_per_dollar: 0.1 });
  expect(changed.message).toEqual(expect.any(String));
  const other = expectOk(await admin.patch(pathOf(team), { tokens_per_credit: 250 }));
  expect(other).toMatchObject({
    tokens_per_credit: 250,
    credits_per_dollar: 0.1,
    using_defaults: { tokens_per_credit: false, credits_per_dollar: false },
  });

  const cleared = await admin.patch(pathOf(team), { tokens_per_credit: null, credits_per_dollar: null });
  expect(cleared.body).toMatchObject({
    tokens_per_credit: 10_000,
    credits_per_dollar: 10,
    using_defaults: { tokens_per_credit: true, credits_per_dollar: true },
  });
  expect(expectOk(await admin.patch(pathOf(team), {}))).toMatchObject({ tokens_per_credit: 10_000 });
  const rates = (await readAudit(gateway.current, team.teamId)).filter(({ action }) => action.includes('rates'));
  expect(rates).toHaveLength(4);
});

test.each([
  ['tokens_per_credit', 0, 'greater_than'],
  ['tokens_per_credit', -1, 'greater_than'],
  ['tokens_per_credit', 1.5, 'int_type'],
  ['tokens_per_credit', 'x', 'int_type'],
  ['tokens_per_credit', 2_147_483_648, 'less_than_equal'],
  ['credits_per_dollar', 0, 'greater_than'],
  ['credits_per_dollar', -0.1, 'greater_than'],
  ['credits_per_dollar', 'x', 'float_type'],
  ['credits_per_dollar', true, 'float_type'],
])('a conversion rate %s of %j is refused with %s (spec 6.15)', async (field, value, type) => {
  const team = await given.team();

  expect(await admin.patch(pathOf(team), { [field]: value })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', field], type }] },
  });
});

test.each([33.333333333333336, 100 / 7, 0.1 + 0.2, 1e-20, 5e-324, Number.MAX_VALUE])(
  'credits_per_dollar %d is stored exactly (spec 1.15)',
  async (rate) => {
    const team = await given.team();

    expect(expectOk(await admin.patch(pathOf(team), { credits_per_dollar: rate })).credits_per_dollar).toBe(rate);
    const other = await given.team({ credits_per_dollar: rate });
    expect(expectOk(await admin.get(pathOf(other))).credits_per_dollar).toBe(rate);
    expectOk(await admin.put(`/api/teams/${other.teamId}`, { credits_per_dollar: rate }));
  },
);

test.each(['Infinity', '1e400', '1e-400'])('credits_per_dollar %s is refused (spec 1.15)', async (number) => {
  const { url, masterKey } = gateway.current;
  const raw = `{"credits_per_dollar":${number}}`;
  const headers = { 'content-type': 'application/json' };

  expect((await sendRequest(url, 'patch', pathOf(await given.team()), { key: masterKey, raw, headers })).status).toBe(
    422,
  );
});

test('each of several simultaneous changes of rates returns its own result', async () => {
  const team = await given.team();
  const rates = Array.from({ length: 20 }, (_, index) => index + 1);

  const answers = await Promise.all(rates.map((rate) => admin.patch(pathOf(team), { tokens_per_credit: rate })));

  expect(answers.map((answer) => expectOk(answer).tokens_per_credit)).toEqual(rates);
});

test('conversion rates are for admins only, and a 404 for an unknown team (spec 6.15)', async () => {
  const team = await given.team();

  expect((await as(gateway, team).get(pathOf(team))).status).toBe(401);
  expect((await as(gateway, team).patch(pathOf(team), {})).status).toBe(401);
  expect((await admin.get(pathOf({ teamId: 'unheard-of' }))).status).toBe(404);
  expect((await admin.patch(pathOf({ teamId: 'unheard-of' }), {})).status).toBe(404);
});
