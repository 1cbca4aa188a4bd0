import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const made = { status: 200 };
const refused = { status: 403, body: { detail: 'Insufficient credits' } };

test.each<[string, Record<string, unknown>, object]>([
  ['that is used up, with the policy "block", makes no job', { credits: 0, low_balance_policy: 'block' }, refused],
  ['that is used up, with the policy "allow", does', { credits: 0, low_balance_policy: 'allow' }, made],
  ['of one credit does', { credits: 1, low_balance_policy: 'block' }, made],
  ['without a limit always does', { credits: 0, credit_limit: null, low_balance_policy: 'block' }, made],
])('a budget %s (spec 6.7)', async (_, budget, answer) => {
  const team = await given.team(budget);

  const created = await as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' });
  const called = await as(gateway, team).single();

  expect([created, called]).toMatchObject([answer, answer]);
  expect(expectOk(await as(gateway, team).get('/api/jobs')).total).toBe(answer === made ? 2 : 0);
});
