import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FinishedCall } from '../db/calls/finish-call.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Models respond within milliseconds to minutes. */
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const overheadBuckets = [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 1];

/**
 * The metrics of one process, as Prometheus text: an api counts HTTP requests, a worker calls, jobs and deliveries, each at its own
 * address and under the same names. Labels are routes and outcomes, never ids.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `gateway_${name}_total`, help, labelNames, registers });
  const seconds = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name: `gateway_${name}_seconds`, help, labelNames, buckets, registers });

  return {
    registry,
    requests: counter('requests', 'HTTP requests answered', 'method', 'path', 'status'),
    requestSeconds: seconds('request', 'From a request to the end of its answer', requestBuckets, 'method', 'path'),
    callOverheadSeconds: seconds(
      'call_overhead',
      'What the gateway added to a call that was not streamed',
      overheadBuckets,
    ),
    streamsOpen: new Gauge({ name: 'gateway_streams_open', help: 'Event streams being written', registers }),
    draining: new Gauge({ name: 'gateway_draining', help: '1 from the signal to end on, 0 before it', registers }),
    calls: counter('calls', 'LLM calls that have ended', 'outcome', 'streamed'),
    callSeconds: seconds('call', 'LLM calls at the upstream, fallbacks included', callBuckets, 'outcome', 'streamed'),
    tokens: counter('tokens', 'Tokens of LLM calls', 'kind'),
    costUsd: counter('cost_usd', 'USD cost of LLM calls, an approximation of the record'),
    jobs: counter('jobs', 'Jobs that have ended', 'status'),
    credits: counter('credits_deducted', 'Credits deducted from teams'),
    webhookAttempts: counter('webhook_attempts', 'Attempts at webhook deliveries', 'outcome'),
    speculativeStarts: counter('speculative_starts', 'Calls that were started speculatively', 'outcome'),
  };
}

/** Counts a call that ended with an answer of the model or with an error. */
export function countCall(metrics: Metrics, call: FinishedCall, streamed: boolean): void {
  const labels = { outcome: call.status, streamed: String(streamed) };
  metrics.calls.inc(labels);
  metrics.callSeconds.observe(labels, call.latency_ms / 1_000);
  metrics.tokens.inc({ kind: 'prompt' }, call.prompt_tokens);
  metrics.tokens.inc({ kind: 'completion' }, call.completion_tokens);
  metrics.costUsd.inc(Number(call.cost_usd));
}
