import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('of two hundred jobs that are completed at once with a hundred credits, a hundred are charged (spec 6.3, spec 6.10)', async () => {
  const team = await given.team({ credits: 100 });
  const jobs = await Promise.all(Array.from({ length: 200 }, () => given.job(team)));

  const outcomes = await Promise.all(jobs.map(async (job) => expectOk(await as(gateway, team).complete(job))));

  expect(outcomes.filter(({ costs }) => costs.credit_applied)).toHaveLength(100);
  expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 100, credits_remaining: 0 });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('a job that is completed, failed and cancelled at once has one end, and the other two requests are answered 409', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);

  const answers = await Promise.all([
    as(gateway, team).complete(job, 'completed'),
    as(gateway, team).complete(job, 'failed'),
    as(gateway, team).post(`/api/jobs/${job}/cancel`),
  ]);

  const winner = expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status;
  for (const { status, body } of answers) {
    expect(status === 200 ? body.status : body.detail).toBe(status === 200 ? winner : `Job is already ${winner}`);
  }
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a job with fifty calls at once records fifty calls', async () => {
  const team = await given.team({ models: ['sim-slow-50'] });
  const job = await given.job(team);

  const answers = await Promise.all(Array.from({ length: 50 }, () => as(gateway, team).call(job)));
  const outcome = expectOk(await as(gateway, team).complete(job));

  expect(new Set(answers.map((answer) => expectOk(answer).call_id)).size).toBe(50);
  expect(outcome.costs).toMatchObject({ total_calls: 50, failed_calls: 0, credit_applied: true });
});
