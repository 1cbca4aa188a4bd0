import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { contentOf, isRunning, isShown, stopping } from '../support/given-stop.ts';
import { checkLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const { stop, read, started } = stopping(gateway, () => gateway.current.deps.database.pool);

let worker: WorkerProcess;
beforeEach(async () => {
  worker = await startWorkerProcess(gateway.current);
});
afterEach(() => worker.kill());

test('a stop of a call whose worker was killed is answered, and the next worker ends the call without asking a model again (spec 26.10)', async () => {
  const model = `sim-slow-60000-as-${unique('lost')}`;
  const team = await given.team({ models: [model], credits: 5 });
  const job = await given.job(team, { budget: { max_tokens: 90_000, default_output_tokens: 900 } });
  const { call, end } = await started(team, 'call', isRunning, { job });
  await untilRequested(gateway, model);
  await worker.kill();

  const stopped = expectOk(await stop(team, job, call));
  worker = await startWorkerProcess(gateway.current);

  expect(stopped).toMatchObject({ status: 'running', finish_reason: null });
  expect(expectOk(await end).response).toEqual({ content: '', finish_reason: 'stopped' });
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect(await read(team, job, call)).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });
  const { budget } = expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
  expect(budget.assumed.tokens).toBeGreaterThan(900);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({
    failed_calls: 0,
    credit_applied: true,
  });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

test('a stream that was stopped after its worker was killed has succeeded with what it had shown (spec 26.10)', async () => {
  const model = `sim-tokens-400-every-25-as-${unique('lost')}`;
  const team = await given.team({ models: [model], credits: 5 });
  const { job, call, end } = await started(team, 'singleStream', isShown);
  const reader = as(gateway, team).get(`/api/jobs/${job}/calls/${call}/stream`);
  await until(async () => (await gateway.current.deps.callEvents.storedFrames(call)).length > 3);
  await worker.kill();

  expect(expectOk(await stop(team, job, call)).status).toBe('running');
  worker = await startWorkerProcess(gateway.current);

  const texts = [contentOf(await end), contentOf(await reader)];
  const { response, finish_reason } = await read(team, job, call);
  expect(response.content.length).toBeGreaterThan(10);
  for (const { text, reason } of texts) expect([text, reason]).toEqual([response.content, finish_reason]);
  expect(finish_reason).toBe('stopped');
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({
    status: 'completed',
    credit_applied: true,
  });
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);
