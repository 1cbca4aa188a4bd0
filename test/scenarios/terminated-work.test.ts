import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { maintain } from '../support/maintain.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let worker: Promise<unknown> | undefined;
const needWorker = () => {
  worker ??= gateway.current.startWorker();
  return worker;
};
const handleOf = (id: string) => gateway.current.deps.temporal.client.workflow.getHandle(id);
const jobOf = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));

/** Repeats rounds: a round skips work that is only some seconds old. */
const maintainUntil = (holds: () => Promise<boolean>) =>
  until(async () => {
    await maintain(gateway.current);
    return holds();
  });
const hasFailed = (team: GivenTeam, job: string) => async () => (await jobOf(team, job)).status === 'failed';

test('a job whose workflow was terminated after its worker was lost is ended once, with its unfinished calls (spec 3.17)', async () => {
  const model = 'sim-slow-60000-as-terminated';
  const team = await given.team({ credits: 5, models: [model] });
  const lost = await startWorkerProcess(gateway.current);
  const job = await given.job(team, { metadata: { kept: true } });
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);

  await lost.kill();
  await handleOf(workflowId.job(job)).terminate('by a test');
  await needWorker();
  await maintainUntil(hasFailed(team, job));

  expect(await call).toMatchObject({
    status: 500,
    body: { detail: "LLM call failed: the job's workflow was terminated" },
  });
  const ended = await jobOf(team, job);
  expect(ended).toMatchObject({
    error_message: "The job's workflow was terminated",
    metadata: { kept: true },
    model_groups_used: [team.modelGroup],
  });
  const costs = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`));
  expect(costs).toMatchObject({ breakdown: [{ error: "the job's workflow was terminated" }] });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });

  await maintain(gateway.current);
  expect(await jobOf(team, job)).toEqual(ended);
  expect((await as(gateway, team).complete(job)).status).toBe(409);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

test('a job whose workflow was terminated during a call ends with the call aborted, and a job whose workflow was reset continues (spec 3.17)', async () => {
  await needWorker();
  const model = 'sim-slow-60000-as-aborted';
  const [team, other] = [await given.team({ models: [model] }), await given.team()];
  const [job, reset] = [await given.job(team), await given.job(other)];
  const call = as(gateway, team).call(job);
  expectOk(await as(gateway, other).call(reset));
  await untilRequested(gateway, model);

  await resetJob(reset);
  await handleOf(workflowId.job(job)).terminate('by a test');
  const late = await as(gateway, team).call(job);
  await maintainUntil(hasFailed(team, job));

  expect(late).toMatchObject({ status: 409, body: { detail: 'Job is already failed' } });
  expect(await call).toMatchObject({
    status: 500,
    body: { detail: "LLM call failed: the job's workflow was terminated" },
  });
  await until(() => gateway.current.simulator.requestsFor({ model })[0]!.aborted);
  expect(expectOk(await as(gateway, other).complete(reset)).costs).toMatchObject({ total_calls: 1 });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

/** Resets a workflow to its first workflow task, like the Temporal UI. */
async function resetJob(job: string): Promise<void> {
  const { client } = gateway.current.deps.temporal;
  const handle = handleOf(workflowId.job(job));
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: handle.workflowId, runId },
    workflowTaskFinishEventId: events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId,
    requestId: runId,
    reason: 'by a test',
  });
}
