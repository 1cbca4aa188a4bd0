import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { Config } from '../../config.ts';
import { Unavailable } from '../../errors.ts';
import { StallDetector } from '../../liveness/stall-detector.ts';
import { missingIn } from './check-namespace.ts';
import { asTemporalOutage } from './failures.ts';

/** The one connection of a process to Temporal. Lazy: while the server is away requests fail, but the process starts. */
export interface Temporal {
  client: Client;
  taskQueue: string;
  /** Throws `Unavailable` when the server answers no request for a while, or not this one within `withinMs`. */
  request<T>(question: (client: Client) => Promise<T>, withinMs?: number): Promise<T>;
  /** Whether the server answers at all, within so many milliseconds. */
  isReachable(withinMs: number): Promise<boolean>;
  /** What workflows need and the server lacks, in words. Throws `Unavailable`. */
  missingSetup(withinMs: number): Promise<string | undefined>;
  close(): Promise<void>;
}

/** `spec 1.8` gives an outage 3 s to become a 503. */
const silenceMs = 2_000;
/** The longest wait for one request while the server answers others. */
const longestWaitMs = 20_000;

/** A busy workflow refuses for a moment, and the SDK would wait a whole second. A server that came back is noticed as soon. */
const retrying = defaultGrpcRetryOptions({ initialIntervalMs: () => 100, maxIntervalMs: () => 1_000 });

/** Two timers of one moment fire in either order, and late on a busy machine. */
const timersMayBeLateMs = 200;

/** The SDK retries on a timer that cannot be stopped, and a request on a closed connection ends the process. */
function stoppableRetries() {
  let stopped = false;
  let nextAt = 0;
  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !stopped && retrying.retryableDecider(attempt, status),
      delayFunction(attempt, status) {
        const delayMs = retrying.delayFunction(attempt, status);
        nextAt = Math.max(nextAt, Date.now() + delayMs);
        return delayMs;
      },
    }),
    /** Resolves when the last retry has been sent. */
    stop() {
      stopped = true;
      return pause(Math.max(0, nextAt - Date.now() + timersMayBeLateMs));
    },
  };
}

const channelArgs = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // A proxy in the environment, `HTTP_PROXY`, is not for this connection: a worker's own does not take it either.
  'grpc.enable_http_proxy': 0,
};

/** Address and credentials, as both the client and the worker take them. */
export function temporalAddress(config: Config) {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file));
  const certificate = read(config.TEMPORAL_TLS_CERT);
  const key = read(config.TEMPORAL_TLS_KEY);
  const serverRootCACertificate = read(config.TEMPORAL_TLS_CA);
  const secured = certificate ?? serverRootCACertificate ?? config.TEMPORAL_TLS_SERVER_NAME ?? config.TEMPORAL_API_KEY;
  return {
    address: config.TEMPORAL_ADDRESS,
    apiKey: config.TEMPORAL_API_KEY,
    tls:
      secured === undefined
        ? undefined
        : {
            serverRootCACertificate,
            serverNameOverride: config.TEMPORAL_TLS_SERVER_NAME,
            clientCertPair: certificate && key ? { crt: certificate, key } : undefined,
          },
  };
}

export function openTemporal(config: Config): Temporal {
  const retries = stoppableRetries();
  const connection = Connection.lazy({
    ...temporalAddress(config),
    interceptors: [retries.interceptor],
    channelArgs,
  });
  const client = new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    // A query would replay the whole history of an ended workflow, and the record says how it ended.
    workflow: { queryRejectCondition: 'NOT_OPEN' },
  });
  const stallDetector = new StallDetector(silenceMs);
  const request: Temporal['request'] = async (question, withinMs = longestWaitMs) => {
    const asking = new AbortController();
    const answer = client.withDeadline(Date.now() + withinMs, () =>
      client.withAbortSignal(asking.signal, () => question(client)),
    );
    const giveUp = () => {
      asking.abort();
      return new Unavailable('temporal', { cause: 'it answers nobody' });
    };
    try {
      return await stallDetector.watch(answer, giveUp);
    } catch (error) {
      throw asTemporalOutage(error);
    }
  };
  return {
    client,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    request,
    isReachable: (withinMs) =>
      request(() => client.workflowService.getSystemInfo({}), withinMs).then(
        () => true,
        () => false,
      ),
    missingSetup: (withinMs) => request(() => missingIn(connection, config.TEMPORAL_NAMESPACE), withinMs),
    async close() {
      stallDetector.close();
      await retries.stop();
      await connection.close();
    },
  };
}
