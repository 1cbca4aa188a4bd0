import { randomBytes } from 'node:crypto';
import { executeCall } from '../../activities/call-upstream/execute-call.ts';
import { requestEarly } from '../../activities/call-upstream/request-early.ts';
import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { type Opened, openWorkerDeps } from '../../src/deps.ts';
import { createLog } from '../../src/log.ts';
import type { WorkerDeps } from '../../src/worker/run-worker.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn, unique } from '../support/given.ts';
import { logLevel } from '../support/quiet-temporal.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
const gateway = gatewayForTests();
const given = givenIn(gateway);
const receiver = await startOtlpReceiver();
let worker: Opened<WorkerDeps>;
beforeAll(async () => {
  const config = { ...gateway.current.config, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  worker = await openWorkerDeps(config, createLog(logLevel, 'test'));
});
afterAll(async () => {
  await worker.close();
  await receiver.close();
});

const traceSql = statement(
  'test_trace_call',
  `with c as (update calls set trace_context = :trace_context where call_id = :call_id returning *)
   select c.call_id, c.job_id, c.team_id, c.trace_context, c.streamed, c.candidates, p.request, p.options,
          octet_length(p.request) as request_bytes, p.extra_fields, p.blocked_fields, p.max_output_tokens, null as key_sealed
     from c join call_payloads p on p.call_id = c.call_id`,
);

/** A queued call whose request was a span. */
async function givenTracedCall() {
  const model = unique('sim-ok-as');
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const call_id = await insertUnsentCall(gateway.current, team, job, {});
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const trace_context = `00-${traceId}-${parentId}-01`;
  const [call] = await gateway.current.deps.database.query<RequestOfCall>(traceSql, { call_id, trace_context });
  const input = { call_id, starts_job: true, job_started_at: Date.now(), ends_job: true };
  const cancellation = new AbortController().signal;
  return {
    model,
    traceId,
    parentId,
    request: () => requestEarly(worker.deps, call!),
    attempt: (early?: Awaited<ReturnType<typeof requestEarly>>) =>
      executeCall(worker.deps, { input, workerAttempt: 1, workflowId: `job-${job}`, cancellation, early }),
  };
}

test('an attempt that adopts an early request has begun with it, and is one span (spec 14.11)', async () => {
  const call = await givenTracedCall();

  const early = await call.request();
  await until(() => gateway.current.simulator.requestsFor({ model: call.model })[0]?.outcome === 'answered');
  const adoptedAt = Date.now();
  expect(await call.attempt(early)).toEqual({ error: null });
  early!.discard();
  const spans = await receiver.trace(call.traceId, 2);

  const [attempt, client] = spans;
  expect(spans.map(({ kind, isError }) => [kind, isError])).toEqual([
    ['internal', false],
    ['client', false],
  ]);
  expect([attempt!.parentId, client!.parentId]).toEqual([call.parentId, attempt!.spanId]);
  expect(client!.startedAt).toBeLessThan(adoptedAt);
  expect(attempt!.startedAt).toBeLessThanOrEqual(client!.startedAt);
  expect(attempt!.endedAt).toBeGreaterThanOrEqual(adoptedAt);
});

test('an early request that is discarded is an attempt of its own in the trace, which names that (spec 14.11)', async () => {
  const call = await givenTracedCall();
  gateway.current.simulator.script(call.model, 'sim-slow-60000', 1);

  const early = await call.request();
  await until(() => gateway.current.simulator.requestsFor({ model: call.model }).length === 1);
  early!.discard();
  expect(await call.attempt()).toEqual({ error: null });
  const [discarded, attempt, cancelled, client] = await receiver.trace(call.traceId, 4);

  expect([discarded, cancelled].map((span) => span!.attributes['error.type'])).toEqual(['discarded', 'cancelled']);
  expect([attempt, client].map((span) => span!.isError)).toEqual([false, false]);
  expect([discarded, attempt].map((span) => span!.parentId)).toEqual([call.parentId, call.parentId]);
  expect([cancelled!.parentId, client!.parentId]).toEqual([discarded!.spanId, attempt!.spanId]);
});
