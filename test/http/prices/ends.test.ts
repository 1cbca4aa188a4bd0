import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import type { Json } from '../../support/send-request.ts';
import { insertUnsentCall } from '../../support/unsent-work.ts';
import { until } from '../../support/until.ts';

/** Ends that no client commands, under the policy `answered`. */
const gateway = gatewayForTests({ settings: { TASK_JOB_IDLE: '1s' } });
const given = givenIn(gateway);

afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

const jobsOf = async (team: GivenTeam): Promise<Json[]> => expectOk(await as(gateway, team).get('/api/jobs')).jobs;
const ended = (team: GivenTeam) =>
  until(
    () => jobsOf(team),
    (jobs) => jobs.length > 0 && jobs.every(({ completed_at }) => completed_at !== null),
  );

test.each([
  ['answered', true],
  ['completed', false],
])(
  'an idle job of a task that fails after an answer under the policy %s is charged: %p (spec 21.1, spec 18.6)',
  async (billing_policy, credit_applied) => {
    const failing = await given.modelGroup(['sim-fail-400']);
    const ok = await given.modelGroup();
    const team = await given.team({ model_groups: [ok, failing], billing_policy });
    for (const model of [ok, failing])
      await as(gateway, team).post(
        '/v1/chat/completions',
        { model, messages: hello },
        { 'x-external-task-id': 'task' },
      );

    const jobs = await ended(team);

    expect(jobs).toMatchObject([{ status: 'failed', ended_by: 'idle', credit_applied }]);
  },
);

test.each(['stream', 'singleStream'] as const)(
  'a job whose %s its deadline cuts off after the first token is charged under the policy answered, and what it took is estimated (spec 21.1, spec 21.10)',
  async (kind) => {
    const team = await given.team({
      models: ['sim-tokens-1000-every-50'],
      billing_policy: 'answered',
      job_budget_defaults: { deadline_seconds: 2 },
    });
    if (kind === 'stream') await as(gateway, team).stream(await given.job(team));
    else await as(gateway, team).singleStream();

    const [job] = await ended(team);

    expect(job).toMatchObject({ status: 'failed', ended_by: 'deadline', credit_applied: true });
    const { breakdown } = await given.admin('get', `/api/jobs/${job.job_id}/costs`);
    expect(breakdown).toMatchObject([{ error: 'deadline', estimated: true, attempts: [{ estimated: true }] }]);
  },
);

test.each([
  ['answered', true],
  ['strict', false],
])(
  'a single-call job under the policy %s that fails because its call was retracted is charged for another one that succeeded: %p (spec 21.1)',
  async (billing_policy, credit_applied) => {
    const team = await given.team({ billing_policy });
    const job = await given.job(team);
    expectOk(await as(gateway, team).call(job));
    await gateway.current.deps.database.pool.query('update jobs set single_call = true where job_id = $1', [job]);
    const callId = await insertUnsentCall(gateway.current, team, job);

    const retracted = await gateway.current.deps.retractions.retract({
      callId,
      ...{ jobId: job, singleCallJobId: job, teamId: team.teamId },
    });

    expect(retracted).toBe('retracted');
    expect(await jobsOf(team)).toMatchObject([{ status: 'failed', ended_by: 'call', credit_applied }]);
  },
);
