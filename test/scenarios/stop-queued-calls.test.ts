import { openWorkerDeps } from '../../src/deps.ts';
import { teamHolder } from '../../src/holders/holder.ts';
import { createWorkerMeasures } from '../../src/holders/measures.ts';
import { createSlots } from '../../src/holders/slots.ts';
import { createLog } from '../../src/log.ts';
import { type RunningWorker, runWorker } from '../../src/worker/run-worker.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { contentOf, isQueued, type Kind, stopping } from '../support/given-stop.ts';
import { checkLedger } from '../support/ledger.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const { stop, read, started } = stopping(gateway, () => gateway.current.deps.database.pool);

/** A worker that runs one call at a time, which another team keeps busy. */
let worker: RunningWorker;
let busy: { team: GivenTeam; job: string };
beforeAll(async () => {
  const { config, deps } = gateway.current;
  const opened = await openWorkerDeps(config, createLog(config.LOG_LEVEL, 'test'));
  const measures = createWorkerMeasures(config);
  const calls = createSlots();
  const takeSlot: typeof measures.takeSlot = (kind) =>
    kind === 'calls' ? calls.take(teamHolder('all'), 1) : measures.takeSlot(kind);
  const running = await runWorker({ ...opened.deps, measures: { ...measures, takeSlot } });
  worker = { ...running, stopped: running.stopped.finally(opened.close) };
  await until(() => !deps.workerWatch.isUnavailable());
  const team = await given.team({ models: ['sim-hang'] });
  busy = { team, job: await given.job(team) };
  void as(gateway, team).call(busy.job);
  await untilRequested(gateway, 'sim-hang');
});
afterAll(async () => {
  worker.shutdown();
  await worker.stopped;
});

const finish = () => as(gateway, busy.team).post(`/api/jobs/${busy.job}/cancel`);

async function givenTeam() {
  const model = `sim-ok-as-${unique('queued')}`;
  return { model, team: await given.team({ models: [model], credits: 5 }) };
}

test.each(['call', 'stream', 'single', 'singleStream'] as const)(
  'a queued %s that is stopped is answered at once with an empty answer, and no model is asked (spec 26.10, spec 26.11)',
  async (kind: Kind) => {
    const { team, model } = await givenTeam();
    const isSingle = kind === 'single' || kind === 'singleStream';
    const own = isSingle ? {} : { job: await given.job(team, { budget: { max_tokens: 90_000 } }) };
    const { job, call, end } = await started(team, kind, isQueued, own);
    const reader = as(gateway, team).get(`/api/jobs/${job}/calls/${call}/stream`);

    const startedAt = Date.now();
    const stopped = expectOk(await stop(team, job, call));
    const answer = await end;

    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(stopped).toMatchObject({ status: 'succeeded', finish_reason: 'stopped', total_tokens: 0, error: null });
    expect(stopped).toMatchObject({ started_at: expect.any(String), finished_at: expect.any(String) });
    if (kind === 'call' || kind === 'single')
      expect(expectOk(answer).response).toEqual({ content: '', finish_reason: 'stopped' });
    else expect(contentOf(answer)).toMatchObject({ text: '', reason: 'stopped' });
    expect(contentOf(await reader)).toMatchObject({ text: '', reason: 'stopped' });
    expect(expectOk(await stop(team, job, call))).toEqual(stopped);
    const ended = expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
    if (isSingle) {
      expect(ended).toMatchObject({ status: 'cancelled', credit_applied: false });
      expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
    } else {
      expect(ended).toMatchObject({
        status: 'in_progress',
        started_at: expect.any(String),
        budget: { spent: { calls: 1, tokens: 0 }, held: { calls: 0, tokens: 0 }, assumed: { tokens: 0 } },
      });
    }
    expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(0);
  },
);

test('the job of a call that was stopped in the queue is completed and charged once its workflow has found the call ended (spec 26.10)', async () => {
  const { team, model } = await givenTeam();
  const job = await given.job(team);
  const { call, end } = await started(team, 'call', isQueued, { job });
  expectOk(await stop(team, job, call));
  expectOk(await end);

  const completed = as(gateway, team).complete(job);
  await finish();

  expect(expectOk(await completed).costs).toMatchObject({ total_calls: 1, failed_calls: 0, credit_applied: true });
  expect((await read(team, job, call)).finish_reason).toBe('stopped');
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(0);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 90_000);

test('a queued call of a job that has ended is refused when it is stopped, and the job stays as it is (spec 26.10)', async () => {
  const { team } = await givenTeam();
  const job = await given.job(team);
  const call = await insertUnsentCall(gateway.current, team, job);
  expectOk(await as(gateway, team).complete(job));
  const before = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`)).costs;

  const stopped = expectOk(await stop(team, job, call));

  expect(stopped).toMatchObject({ status: 'refused', error: 'completed', finish_reason: null });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`)).costs).toEqual(before);
});

test('a call that was never sent to its workflow is stopped, and is not made afterwards (spec 26.10)', async () => {
  const { team, model } = await givenTeam();
  const job = await given.job(team);
  const call = await insertUnsentCall(gateway.current, team, job);

  expect(expectOk(await stop(team, job, call))).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });

  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 1, credit_applied: true });
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(0);
});
