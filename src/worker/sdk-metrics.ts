import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';
import type { Registry } from 'prom-client';

/** Latencies from a millisecond to ten minutes, in seconds. The SDK's own end at one minute, and a full worker keeps tasks for longer. */
const latencyBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const latencies = [
  'activity_schedule_to_start_latency',
  'activity_execution_latency',
  'activity_succeed_endtoend_latency',
  'workflow_task_schedule_to_start_latency',
  'workflow_task_execution_latency',
  'workflow_task_replay_latency',
  'workflow_endtoend_latency',
  'request_latency',
  'long_request_latency',
];

/** Another program may take the port between its choice and its use. */
const maxTries = 5;
const timeoutMs = 2_000;

/** Where Temporal's SDK has its metrics: slots, schedule-to-start, sticky cache, polls, requests. */
export interface SdkMetrics {
  read(): Promise<string>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Has `install` make the SDK serve its metrics, which it can do on a port only: one of the loopback interface, where this process reads them
 * for its own `/metrics` (decision 122). Names end in `_seconds` and `_total`, as those of the gateway do.
 */
export async function serveSdkMetrics(install: (metrics: MetricsExporterConfig) => void): Promise<SdkMetrics> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      install({
        prometheus: {
          bindAddress: `127.0.0.1:${port}`,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
          histogramBucketOverrides: Object.fromEntries(latencies.map((name) => [`temporal_${name}`, latencyBuckets])),
        },
      });
    } catch (error) {
      if (tries === maxTries) throw error;
      continue;
    }
    return {
      async read() {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(timeoutMs) });
        return response.text();
      },
    };
  }
}

/** The metrics of the process with those of the SDK after them, which are absent where they cannot be read. */
export const withSdkMetrics = (registry: Registry, sdk: SdkMetrics | undefined) => ({
  contentType: registry.contentType,
  async metrics(): Promise<string> {
    const [own, ofSdk] = await Promise.all([registry.metrics(), sdk?.read().catch(() => '')]);
    return ofSdk ? `${own}${own.endsWith('\n') ? '' : '\n'}${ofSdk}` : own;
  },
});
