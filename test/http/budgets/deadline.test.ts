import { workflowId } from '../../../src/domain/ids.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const jobsOf = async (team: GivenTeam): Promise<Json[]> => expectOk(await as(gateway, team).get('/api/jobs')).jobs;
const untilAllEnded = (team: GivenTeam) =>
  until(
    () => jobsOf(team),
    (jobs) => jobs.length > 0 && jobs.every(({ completed_at }) => completed_at !== null),
  );
const endsOf = (jobs: Json[]) => jobs.map(({ status, ended_by, error_message }) => [status, ended_by, error_message]);
const byDeadline = ['failed', 'deadline', 'Job deadline exceeded'];

test('a job that is created with a deadline fails at it, free, not before its grace is over (spec 23.11)', async () => {
  const team = await given.team({ credits: 5 });
  const headers = { 'idempotency-key': unique('key') };
  const body = { team_id: team.teamId, job_type: 'report', budget: { deadline_seconds: 1, deadline_grace_seconds: 1 } };
  const created = expectOk(await as(gateway, team).post('/api/jobs/create', body, headers));
  expectOk(await as(gateway, team).post('/api/jobs/create', body, headers));

  const jobs = await untilAllEnded(team);

  expect(endsOf(jobs)).toEqual([byDeadline]);
  expect(Date.parse(jobs[0].completed_at)).toBeGreaterThanOrEqual(Date.parse(created.budget.deadline_at) + 1_000);
  expect(Date.parse(jobs[0].completed_at)).toBeLessThan(Date.parse(created.budget.deadline_at) + 10_000);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
});

test('jobs that calls make have the deadline of their request or team: create-and-call, its stream, chat completions with a task and without (spec 23.11, spec 23.14)', async () => {
  const model = `sim-slow-60000-as-${unique('made')}`;
  const team = await given.team({ models: [model], job_budget_defaults: { deadline_seconds: 2 } });
  const chat = { model: team.modelGroup, messages: hello };
  const calls = [
    as(gateway, team).single({ budget: { deadline_seconds: 1 } }),
    as(gateway, team).singleStream(),
    as(gateway, team).post('/v1/chat/completions', chat),
    as(gateway, team).post('/v1/chat/completions', chat, { 'x-external-task-id': 'task-1' }),
  ];
  const answers = await Promise.all(calls);

  expect(answers.map(({ status }) => status)).toEqual([409, 200, 400, 400]);
  expect(endsOf(await untilAllEnded(team))).toEqual(Array(4).fill(byDeadline));
});

test('a job under the policy answered is charged although its deadline ended it, if a call has succeeded (spec 23.11, spec 21.1)', async () => {
  const team = await given.team({
    credits: 5,
    billing_policy: 'answered',
    job_budget_defaults: { deadline_seconds: 3, deadline_grace_seconds: 0 },
  });
  expectOk(await as(gateway, team).call(await given.job(team)));

  expect(await untilAllEnded(team)).toMatchObject([{ ended_by: 'deadline', credit_applied: true }]);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});

test('the history of a job without a deadline has neither marker nor further timer, and that of one with a deadline has both', async () => {
  const team = await given.team();
  const jobs = [await given.job(team), await given.job(team, { budget: { deadline_seconds: 60 } })];
  const counts = [];
  for (const job of jobs) {
    expectOk(await as(gateway, team).complete(job));
    const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job));
    await handle.result();
    const { events } = await handle.fetchHistory();
    counts.push([
      events!.filter((event) => event.markerRecordedEventAttributes).length,
      events!.filter((event) => event.timerStartedEventAttributes).length,
    ]);
  }

  expect(counts).toEqual([
    [0, 1],
    [1, 2],
  ]);
});
