import { setTimeout as pause } from 'node:timers/promises';
import { executeCall } from '../../activities/call-upstream/execute-call.ts';
import { startSpeculatively } from '../../activities/call-upstream/speculative-start.ts';
import { findJob } from '../../src/db/jobs/find-job.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { type Opened, openWorkerDeps } from '../../src/deps.ts';
import { createLog } from '../../src/log.ts';
import type { WorkerDeps } from '../../src/worker/run-worker.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { logLevel } from '../support/quiet-temporal.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let worker: Opened<WorkerDeps>;
beforeAll(async () => {
  worker = await openWorkerDeps(gateway.current.config, createLog(logLevel, 'test'));
});
afterAll(() => worker.close());

const neverCancelled = new AbortController().signal;

const recordSql = statement(
  'test_call_record',
  `select status, worker_attempt, array(select outcome || ' ' || a.worker_attempt from call_attempts a
                                         where a.call_id = c.call_id order by attempt_number) as attempts
     from calls c where call_id = :call_id`,
);

/** A call that no worker has received. `isJobStarted`: its job is in progress, after a call to the same model. */
async function givenCall({ streamed = false, isJobStarted = true } = {}) {
  const model = unique('sim-ok-as');
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  if (isJobStarted) expectOk(await as(gateway, team).call(job));
  const call_id = await insertUnsentCall(gateway.current, team, job, { streamed });
  const input = { call_id, starts_job: !isJobStarted, job_started_at: Date.now(), ends_job: true };
  const workflowId = `job-${job}`;
  const attempt = (workerAttempt: number) =>
    executeCall(worker.deps, { input, workerAttempt, workflowId, cancellation: neverCancelled });
  const startEarly = () => startSpeculatively(worker.deps, input, workflowId);
  const record = async () => (await gateway.current.deps.database.query(recordSql, { call_id }))[0];
  return { model, team, job, call_id, attempt, startEarly, record };
}

const requestsFor = (model: string) => gateway.current.simulator.requestsFor({ model });

async function expectOneAnswer({ team, job }: Awaited<ReturnType<typeof givenCall>>) {
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: 2, failed_calls: 0, credit_applied: true });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}

test.each([
  ['an answer', { streamed: false }],
  ['a stream', { streamed: true }],
])(
  '%s of a call that is started speculatively is neither shown nor recorded before it is confirmed',
  async (_, how) => {
    const call = await givenCall(how);
    const published: string[] = [];
    const unsubscribe = await gateway.current.deps.callEvents.subscribe(
      call.call_id,
      ({ type }) => void published.push(type),
    );

    const early = call.startEarly();
    await until(() => requestsFor(call.model)[1]?.outcome === 'answered');
    await pause(100);
    expect(published.filter((type) => type !== 'started')).toEqual([]);
    expect(await call.record()).toEqual({ status: 'running', worker_attempt: 1, attempts: [] });
    early.confirm(neverCancelled);

    expect(await early.result).toEqual({ error: null });
    expect(await call.record()).toEqual({ status: 'succeeded', worker_attempt: 1, attempts: ['succeeded 1'] });
    await until(() => published.at(-1) === 'end');
    unsubscribe();
    await expectOneAnswer(call);
  },
);

test('a call whose speculative start is discarded is queued again, and its next attempt executes it', async () => {
  const call = await givenCall();
  gateway.current.simulator.script(call.model, 'sim-slow-60000', 1);

  const early = call.startEarly();
  await untilRequested(gateway, call.model, 2);
  early.discard();

  await expect(early.result).rejects.toThrow('NOT_CONFIRMED');
  await until(() => requestsFor(call.model)[1]?.outcome === 'aborted');
  const requeued = { status: 'queued', worker_attempt: 0, attempts: ['interrupted 0'] };
  expect(await until(call.record, (record) => (record as typeof requeued).status === 'queued')).toEqual(requeued);
  expect(await call.attempt(1)).toEqual({ error: null });
  expect(await call.record()).toMatchObject({ attempts: ['interrupted 0', 'succeeded 1'] });
  await expectOneAnswer(call);
});

test('an answer that has arrived when the speculative start of its call is discarded is dropped, and the call is queued again', async () => {
  const call = await givenCall();

  const early = call.startEarly();
  await until(() => requestsFor(call.model)[1]?.outcome === 'answered');
  early.discard();

  await expect(early.result).rejects.toThrow('NOT_CONFIRMED');
  await until(call.record, (record) => (record as { status: string }).status === 'queued');
});

test('a call that a second attempt has taken over stays with that attempt when the speculative start of the first is discarded', async () => {
  const call = await givenCall();
  gateway.current.simulator.script(call.model, 'sim-slow-60000', 1);

  const early = call.startEarly();
  await untilRequested(gateway, call.model, 2);
  await call.attempt(2);
  early.discard();

  await expect(early.result).rejects.toThrow('NOT_CONFIRMED');
  const attempts = ['interrupted 1', 'succeeded 2'];
  expect(await call.record()).toEqual({ status: 'succeeded', worker_attempt: 2, attempts });
  await expectOneAnswer(call);
});

test('a job stays pending until the speculative start of its first call is confirmed', async () => {
  const call = await givenCall({ isJobStarted: false });

  const early = call.startEarly();
  await pause(100);
  expect(await findJob(gateway.current.deps.database, call.job)).toMatchObject({ status: 'pending' });
  early.confirm(neverCancelled);

  expect(await early.result).toEqual({ error: null });
  expect(requestsFor(call.model)).toHaveLength(1);
});
