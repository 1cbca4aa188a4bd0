import { setTimeout as pause } from 'node:timers/promises';
import type { EarlyAnswer } from '../../activities/call-upstream/early-answer.ts';
import { executeCall } from '../../activities/call-upstream/execute-call.ts';
import { requestEarly } from '../../activities/call-upstream/request-early.ts';
import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
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

const requestSql = statement(
  'test_call_request',
  `select c.call_id, c.job_id, c.team_id, c.streamed, c.candidates, p.request, p.options, octet_length(p.request) as request_bytes,
          p.extra_fields, p.blocked_fields, p.max_output_tokens, null as key_sealed
     from calls c join call_payloads p on p.call_id = c.call_id where c.call_id = :call_id`,
);

/** The early answer to a call that is in the record. `isLong`: the worker reads the request by itself. */
async function requestNow(call_id: string, { isLong = false } = {}): Promise<EarlyAnswer | undefined> {
  const [call] = await gateway.current.deps.database.query<RequestOfCall>(requestSql, { call_id });
  return requestEarly(worker.deps, isLong ? { ...call!, request: null, options: null } : call!);
}

/** A call that no worker has received. `isJobStarted`: its job is in progress, after a call to the same model. */
async function givenCall({ streamed = false, isJobStarted = true } = {}) {
  const model = unique('sim-ok-as');
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  if (isJobStarted) expectOk(await as(gateway, team).call(job));
  const call_id = await insertUnsentCall(gateway.current, team, job, { streamed });
  const input = { call_id, starts_job: !isJobStarted, job_started_at: Date.now(), ends_job: true };
  const workflowId = `job-${job}`;
  const attempt = (workerAttempt: number, early?: EarlyAnswer) =>
    executeCall(worker.deps, { input, workerAttempt, workflowId, cancellation: neverCancelled, early });
  const record = async () => (await gateway.current.deps.database.query(recordSql, { call_id }))[0];
  return { model, team, job, call_id, attempt, record };
}

const requestsFor = (model: string) => gateway.current.simulator.requestsFor({ model });

async function expectOneAnswer({ team, job }: Awaited<ReturnType<typeof givenCall>>) {
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: 2, failed_calls: 0, credit_applied: true });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}

const queued = { status: 'queued', worker_attempt: 0, attempts: ['interrupted 0'] };

test.each([
  ['an answer', { streamed: false }],
  ['a stream', { streamed: true }],
])(
  '%s that is requested early is neither shown nor recorded before the call is given to the worker',
  async (_, how) => {
    const call = await givenCall(how);
    const published: string[] = [];
    const unsubscribe = await gateway.current.deps.callEvents.subscribe(
      call.call_id,
      ({ type }) => void published.push(type),
    );

    const early = await requestNow(call.call_id);
    await until(() => requestsFor(call.model)[1]?.outcome === 'answered');
    await pause(100);
    expect(published).toEqual([]);
    expect(await call.record()).toEqual(queued);

    expect(await call.attempt(1, early)).toEqual({ error: null });
    expect(await call.record()).toEqual({ status: 'succeeded', worker_attempt: 1, attempts: ['succeeded 1'] });
    await until(() => published.at(-1) === 'end');
    unsubscribe();
    await expectOneAnswer(call);
    expect(requestsFor(call.model)).toHaveLength(2);
  },
);

test('an early request that is discarded is aborted and recorded as interrupted, and an attempt asks again', async () => {
  const call = await givenCall();
  gateway.current.simulator.script(call.model, 'sim-slow-60000', 1);

  const early = await requestNow(call.call_id);
  await until(() => requestsFor(call.model).length === 2);
  early!.discard();

  await until(() => requestsFor(call.model)[1]?.outcome === 'aborted');
  expect(await call.record()).toEqual(queued);
  expect(await call.attempt(1)).toEqual({ error: null });
  expect(await call.record()).toMatchObject({ attempts: ['interrupted 0', 'succeeded 1'] });
  const { breakdown } = await given.admin('get', `/api/jobs/${call.job}/costs`);
  expect(breakdown.at(-1).attempts).toMatchObject([{ attempt_number: 1 }, { attempt_number: 2 }]);
  await expectOneAnswer(call);
});

test('an early answer that has arrived when it is discarded is dropped, and its request recorded as interrupted', async () => {
  const call = await givenCall();

  const early = await requestNow(call.call_id);
  await until(() => requestsFor(call.model)[1]?.outcome === 'answered');
  early!.discard();

  expect(await call.record()).toEqual(queued);
});

test('an early answer that an attempt has adopted is not discarded any more', async () => {
  const call = await givenCall();

  const early = await requestNow(call.call_id);
  await call.attempt(1, early);
  early!.discard();

  expect(await call.record()).toMatchObject({ attempts: ['succeeded 1'] });
});

test('the early request of a call that another worker makes in the meantime is recorded beside its attempts', async () => {
  const call = await givenCall();
  gateway.current.simulator.script(call.model, 'sim-slow-60000', 1);

  const early = await requestNow(call.call_id);
  await until(() => requestsFor(call.model).length === 2);
  await call.attempt(1);
  early!.discard();

  const attempts = ['interrupted 0', 'succeeded 1'];
  expect(await call.record()).toEqual({ status: 'succeeded', worker_attempt: 1, attempts });
  await expectOneAnswer(call);
});

test('an early answer fails over to the next model, and its call records both attempts', async () => {
  const models = ['sim-fail-500-as-early', unique('sim-ok-as')];
  const team = await given.team({ models });
  const job = await given.job(team);
  const call_id = await insertUnsentCall(gateway.current, team, job, {});
  const input = { call_id, starts_job: true, job_started_at: Date.now(), ends_job: true };

  const early = await requestNow(call_id);
  const attempt = { input, workerAttempt: 1, workflowId: `job-${job}`, cancellation: neverCancelled, early };

  expect(await executeCall(worker.deps, attempt)).toEqual({ error: null });
  expect((await gateway.current.deps.database.query(recordSql, { call_id }))[0]).toMatchObject({
    attempts: ['failed 1', 'succeeded 1'],
  });
});

test('an early answer to a long request is that to its text in the record', async () => {
  const call = await givenCall();

  const early = await requestNow(call.call_id, { isLong: true });

  expect(await call.attempt(1, early)).toEqual({ error: null });
  const [first, second] = requestsFor(call.model);
  const messagesOf = ({ body }: { body: unknown }) => (body as { messages: unknown }).messages;
  expect(messagesOf(second!)).toEqual(messagesOf(first!));
});

test('the answer to a call is requested early once, and not after the call has started', async () => {
  const [call, started] = [await givenCall(), await givenCall()];
  await started.attempt(1);

  const answers = await Promise.all([requestNow(call.call_id), requestNow(call.call_id), requestNow(started.call_id)]);

  expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  await until(() => requestsFor(call.model)[1]?.outcome === 'answered');
  expect(requestsFor(call.model)).toHaveLength(2);
  expect(requestsFor(started.model)).toHaveLength(2);
});

test('a job stays pending until the call whose answer was requested early is given to the worker', async () => {
  const call = await givenCall({ isJobStarted: false });

  const early = await requestNow(call.call_id);
  await until(() => requestsFor(call.model)[0]?.outcome === 'answered');
  expect(await findJob(gateway.current.deps.database, call.job)).toMatchObject({ status: 'pending' });

  expect(await call.attempt(1, early)).toEqual({ error: null });
  expect(requestsFor(call.model)).toHaveLength(1);
});
