import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FinishedCall } from '../db/calls/finish-call.ts';
import type { UpstreamError } from '../upstream/upstream-error.ts';
import { version } from '../version.ts';
import { boundedNames } from './bounded-names.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Models respond within milliseconds to minutes, and reason for up to an hour. */
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200, 3_600];
const overheadBuckets = [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 1];

/**
 * The metrics of one process, as Prometheus text: an api counts HTTP requests, a worker calls, jobs and deliveries, each at its own
 * address and under the same names. Labels are routes, outcomes and the names of model groups, never ids. A figure of the whole
 * installation has `installation` in its name, because its sum over processes means nothing.
 */
export function createMetrics(service: 'api' | 'worker') {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `gateway_${name}_total`, help, labelNames, registers });
  const seconds = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name: `gateway_${name}_seconds`, help, labelNames, buckets, registers });
  new Gauge({
    name: 'gateway_build_info',
    help: '1, with the version of the process as a label',
    labelNames: ['service', 'version', 'node'],
    registers,
  }).set({ service, version, node: process.version }, 1);

  const metrics = {
    registry,
    modelGroup: boundedNames(),
    requests: counter('requests', 'HTTP requests answered', 'method', 'path', 'status'),
    requestSeconds: seconds('request', 'From a request to the end of its answer', requestBuckets, 'method', 'path'),
    refusals: counter(
      'refusals',
      'Requests answered with an error: its code, and the limit or cap that refused',
      'status',
      'code',
      'limit',
    ),
    callOverheadSeconds: seconds(
      'call_overhead',
      'What the gateway added to a call that was not streamed',
      overheadBuckets,
    ),
    streamsOpen: new Gauge({ name: 'gateway_streams_open', help: 'Event streams being written', registers }),
    draining: new Gauge({ name: 'gateway_draining', help: '1 from the signal to end on, 0 before it', registers }),
    calls: counter('calls', 'LLM calls that have ended', 'outcome', 'streamed', 'model_group'),
    callSeconds: seconds('call', 'LLM calls at the upstream, fallbacks included', callBuckets, 'outcome', 'streamed'),
    firstTokenSeconds: seconds(
      'first_token',
      'From the start of a streamed call in the worker to its first token, fallbacks included',
      callBuckets,
      'model_group',
    ),
    attempts: counter(
      'attempts',
      'Requests to models: the class of the status, or why there was none, and the kind of failure',
      'status',
      'failure',
      'model_group',
    ),
    tokens: counter('tokens', 'Tokens of LLM calls', 'kind'),
    costUsd: counter('cost_usd', 'USD cost of LLM calls, an approximation of the record'),
    jobs: counter('jobs', 'Jobs that have ended', 'status'),
    credits: counter('credits_deducted', 'Credits deducted from teams'),
    settlementRetries: counter('settlement_retries', 'Settlements of jobs that failed and are tried again'),
    webhookAttempts: counter('webhook_attempts', 'Attempts at webhook deliveries', 'outcome'),
    speculativeStarts: counter('speculative_starts', 'Calls that were started speculatively', 'outcome'),
  };
  // A rate is seen from the first one on, and not from the second.
  if (service === 'worker') for (const outcome of ['delivered', 'failed']) metrics.webhookAttempts.inc({ outcome }, 0);
  return metrics;
}

/** Counts a call that ended with an answer of the model or with an error. */
export function countCall(
  metrics: Metrics,
  call: FinishedCall,
  { streamed, model_group_used }: { streamed: boolean; model_group_used: string | null },
): void {
  const labels = { outcome: call.status, streamed: String(streamed) };
  metrics.calls.inc({ ...labels, model_group: metrics.modelGroup(model_group_used) });
  metrics.callSeconds.observe(labels, call.latency_ms / 1_000);
  metrics.tokens.inc({ kind: 'prompt' }, call.prompt_tokens);
  metrics.tokens.inc({ kind: 'completion' }, call.completion_tokens);
  metrics.costUsd.inc(Number(call.cost_usd));
}

/** What a request to a model was answered with: `2xx` to `5xx`, or why it has no status. */
function statusClass(error: UpstreamError | undefined, isAborted: boolean): string {
  if (!error) return '2xx';
  if (isAborted) return 'aborted';
  const { status, connection } = error.details;
  if (status !== undefined) return `${Math.trunc(status / 100)}xx`;
  if (error.failure === 'timeout') return 'timeout';
  return connection === undefined ? 'unreadable' : 'connection';
}

/** Counts one request to one model; `error`: undefined where it has answered. */
export function countAttempt(
  metrics: Metrics,
  { model_group_used }: { model_group_used: string | null },
  { error, isAborted }: { error: UpstreamError | undefined; isAborted: boolean },
): void {
  metrics.attempts.inc({
    status: statusClass(error, isAborted),
    failure: error && !isAborted ? error.failure : '',
    model_group: metrics.modelGroup(model_group_used),
  });
}
