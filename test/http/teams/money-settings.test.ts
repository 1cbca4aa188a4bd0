import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const budget = { max_cost_usd: 0.25, max_tokens: 50_000, max_calls: 7, deadline_seconds: 60 };
const settings = {
  billing_policy: 'answered',
  usd_per_credit: 0.05,
  reserve_credits: 3,
  low_balance_policy: 'reserve',
  job_budget_defaults: { ...budget, deadline_grace_seconds: 5, default_output_tokens: 1_000 },
  job_budget_maxima: budget,
  credit_thresholds: [100, 0, -5],
  refill_up_to: 40,
};
const defaults = {
  billing_policy: 'strict',
  usd_per_credit: null,
  reserve_credits: 1,
  job_budget_defaults: null,
  job_budget_maxima: null,
  credit_thresholds: [],
  refill_up_to: null,
};
const names = Object.keys(settings);
const pick = (team: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, team[name]]));

test('the settings about money are set by a creation and by an update, and null is the default again (money G5)', async () => {
  const [created, plain] = [await given.team(settings), await given.team()];
  const path = (teamId: string) => `/api/teams/${teamId}`;
  const read = async (teamId: string) => pick(expectOk(await admin.get(path(teamId))));

  expect(await read(created.teamId)).toEqual(settings);
  expect(await read(plain.teamId)).toEqual({ ...defaults, low_balance_policy: 'allow' });
  expect(pick(expectOk(await admin.put(path(plain.teamId), settings)))).toEqual(settings);
  expect(pick(expectOk(await admin.put(path(plain.teamId), { rpm_limit: 9 })))).toEqual(settings);
  const none = Object.fromEntries(names.filter((name) => name !== 'low_balance_policy').map((name) => [name, null]));
  expect(pick(expectOk(await admin.put(path(plain.teamId), none)))).toEqual({
    ...defaults,
    low_balance_policy: 'reserve',
  });
});

test.each([
  [{ billing_policy: 'free' }, ['billing_policy'], 'literal_error'],
  [{ usd_per_credit: -0.01 }, ['usd_per_credit'], 'greater_than_equal'],
  [{ usd_per_credit: 1_000_001 }, ['usd_per_credit'], 'less_than_equal'],
  [{ reserve_credits: 0 }, ['reserve_credits'], 'greater_than_equal'],
  [{ credit_thresholds: [1_000_000_001] }, ['credit_thresholds', 0], 'less_than_equal'],
  [{ credit_thresholds: [1.5] }, ['credit_thresholds', 0], 'int_type'],
  [{ credit_thresholds: Array.from({ length: 11 }, (_, at) => at) }, ['credit_thresholds'], 'too_long'],
  [{ refill_up_to: -1 }, ['refill_up_to'], 'greater_than_equal'],
  [{ job_budget_defaults: { max_call: 3 } }, ['job_budget_defaults', 'max_call'], 'extra_forbidden'],
  [
    { job_budget_maxima: { deadline_grace_seconds: 3 } },
    ['job_budget_maxima', 'deadline_grace_seconds'],
    'extra_forbidden',
  ],
  [{ job_budget_maxima: { max_calls: 0 } }, ['job_budget_maxima', 'max_calls'], 'greater_than_equal'],
])('the setting %j is refused with 422 (money G2, money G5)', async (setting, path, type) => {
  const { teamId } = await given.team();

  const { status, body } = await admin.put(`/api/teams/${teamId}`, setting);

  expect(status).toBe(422);
  expect(body.detail).toMatchObject([{ loc: ['body', ...path], type }]);
});
