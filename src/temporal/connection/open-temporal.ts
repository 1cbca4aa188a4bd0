import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  QueryNotRegisteredError,
  ServiceError,
} from '@temporalio/client';
import type { Polling } from '../../concurrency/poll.ts';
import { StallDetector } from '../../concurrency/stall-detector.ts';
import { supervise } from '../../concurrency/supervise.ts';
import { readSecretFile } from '../../config/read-settings.ts';
import type { Config } from '../../config.ts';
import { Unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Prepared, prepareNamespace } from './prepare-namespace.ts';
import { watchFiles } from './watch-files.ts';

/** The one connection of a process to Temporal. Lazy: while the server is unavailable requests fail, but the process starts. */
export interface Temporal {
  /** The client is another one after its connection was replaced, and must not be kept. */
  readonly client: Client;
  taskQueue: string;
  /** Where it is, for operators. */
  address: string;
  /** Throws `Unavailable` when no request at all gets a response for 2 s, or this one gets none within `timeoutMs`. */
  request<T>(send: (client: Client) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** Whether the server responds at all. */
  isReachable(timeoutMs: number): Promise<boolean>;
  /** Makes what workflows need in the namespace, or states what an operator has to do; without `mayMake` only the latter. Throws `Unavailable`. */
  prepare(timeoutMs: number, options?: { mayMake: boolean }): Promise<Prepared>;
  /** Why the server does not respond, in the words of the network. */
  explainSilence(): Promise<string>;
  close(): Promise<void>;
}

/** `spec 1.8` promises a 503 within 3 s of an outage. */
const stallMs = 2_000;
/** The timeout of one request while the server responds to others. */
const requestTimeoutMs = 20_000;
const pingTimeoutMs = 1_000;

/**
 * The SDK's first backoff is 1 s. A busy workflow refuses only for a moment, and the end of an outage is to be noticed within 1 s.
 */
const retryOptions = defaultGrpcRetryOptions({ initialIntervalMs: () => 100, maxIntervalMs: () => 1_000 });

/** Two timers for the same time fire in either order, and late on a busy machine. */
const timerDelayMs = 200;

/** The SDK retries on a timer that cannot be cancelled, and a request on a closed connection ends the process. */
function stoppableRetries() {
  let stopped = false;
  let nextAt = 0;
  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !stopped && retryOptions.retryableDecider(attempt, status),
      delayFunction(attempt, status) {
        const delayMs = retryOptions.delayFunction(attempt, status);
        nextAt = Math.max(nextAt, Date.now() + delayMs);
        return delayMs;
      },
    }),
    /** Resolves when the last retry has been sent. */
    stop() {
      stopped = true;
      return pause(Math.max(0, nextAt - Date.now() + timerDelayMs));
    },
  };
}

const channelArgs = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // `HTTP_PROXY` in the environment is not for this connection: a worker's own connection ignores it too.
  'grpc.enable_http_proxy': 0,
  // Without it a connection that replaces a dead one would share its socket.
  'grpc.use_local_subchannel_pool': 1,
};

const readApiKey = ({ TEMPORAL_API_KEY: key, TEMPORAL_API_KEY_FILE: file }: Config): string | undefined =>
  file === undefined ? key : readSecretFile(file);

/** Calls `replace`, which connects anew, when a certificate or the API key has changed: they expire and are renewed while the process runs. */
export function replaceOnNewCredentials(config: Config, replace: () => Promise<unknown>, log: Log): Polling {
  const { TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_API_KEY_FILE } = config;
  const files = [TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_API_KEY_FILE].filter(
    (file) => file !== undefined,
  );
  return watchFiles(files, async () => {
    try {
      await replace();
      log.info('temporal: connected with new credentials');
    } catch (error) {
      log.warn({ err: error }, 'temporal: new credentials are not accepted');
      throw error;
    }
  });
}

/** Address and credentials, in the form that both the client and the worker accept. */
export function temporalAddress(config: Config) {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file));
  const certificate = read(config.TEMPORAL_TLS_CERT);
  const key = read(config.TEMPORAL_TLS_KEY);
  const serverRootCACertificate = read(config.TEMPORAL_TLS_CA);
  const securedBy =
    certificate ?? serverRootCACertificate ?? config.TEMPORAL_TLS_SERVER_NAME ?? config.TEMPORAL_API_KEY;
  return {
    address: config.TEMPORAL_ADDRESS,
    apiKey: readApiKey(config),
    tls:
      securedBy === undefined
        ? undefined
        : {
            serverRootCACertificate,
            serverNameOverride: config.TEMPORAL_TLS_SERVER_NAME,
            clientCertPair: certificate && key ? { crt: certificate, key } : undefined,
          },
  };
}

const namespaceAt = (config: Config) => ({ address: config.TEMPORAL_ADDRESS, namespace: config.TEMPORAL_NAMESPACE });

/** A server with TLS closes a connection without it, and the reverse: so it is named. */
const describeAddress = (config: Config): string =>
  `Temporal at ${config.TEMPORAL_ADDRESS} (TEMPORAL_ADDRESS, TLS is ${temporalAddress(config).tls ? 'on' : 'off'})`;

/** One request without retries, whose error has the reason. */
async function explainSilence(config: Config): Promise<string> {
  const connection = Connection.lazy({ ...temporalAddress(config), interceptors: [], channelArgs });
  try {
    await connection.withDeadline(Date.now() + pingTimeoutMs, () => connection.workflowService.getSystemInfo({}));
    return 'it has responded late';
  } catch (error) {
    const text = (error as { details?: string }).details || (error as Error).message;
    return text.replace(/\. Resolution note: $/, '').trim();
  } finally {
    await connection.close();
  }
}

/** A connection with its client and its retries. Lazy. */
function connect(config: Config) {
  const retries = stoppableRetries();
  const connection = Connection.lazy({
    ...temporalAddress(config),
    interceptors: [retries.interceptor],
    channelArgs,
  });
  const client = new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    // A query would replay the whole history of an ended workflow, and its end is in the record.
    workflow: { queryRejectCondition: 'NOT_OPEN' },
  });
  return {
    connection,
    client,
    ping: () => client.withDeadline(Date.now() + pingTimeoutMs, () => client.workflowService.getSystemInfo({})),
    async close() {
      await retries.stop();
      await connection.close();
    },
  };
}

export function openTemporal(config: Config, log: Log): Temporal {
  let current = connect(config);
  const stallDetector = new StallDetector(stallMs);
  const closing: Promise<void>[] = [];

  /** Takes another connection into use, once the server has responded on it. Requests that wait on this one fail. */
  async function replace(): Promise<void> {
    const next = connect(config);
    try {
      await next.ping();
    } catch (error) {
      closing.push(next.close());
      throw error;
    }
    closing.push(current.close());
    current = next;
  }
  const supervision = supervise({ name: 'temporal client', check: () => current.ping(), replace }, log);
  const credentials = replaceOnNewCredentials(config, replace, log);

  const request: Temporal['request'] = async (send, timeoutMs = requestTimeoutMs) => {
    const { client } = current;
    const abort = new AbortController();
    const response = client.withDeadline(Date.now() + timeoutMs, () =>
      client.withAbortSignal(abort.signal, () => send(client)),
    );
    const onStall = () => {
      abort.abort();
      return new Unavailable('temporal', { cause: `no response to any request for ${stallMs} ms` });
    };
    try {
      return await stallDetector.watch(response, onStall);
    } catch (error) {
      throw asTemporalOutage(error);
    }
  };
  return {
    get client() {
      return current.client;
    },
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    address: describeAddress(config),
    request,
    isReachable: (timeoutMs) =>
      request((client) => client.workflowService.getSystemInfo({}), timeoutMs).then(
        () => true,
        () => false,
      ),
    prepare: (timeoutMs, options) =>
      request(() => prepareNamespace(current.connection, namespaceAt(config), options), timeoutMs),
    explainSilence: () => explainSilence(config),
    async close() {
      supervision.close();
      await credentials.close();
      stallDetector.close();
      await Promise.allSettled([...closing, current.close()]);
    },
  };
}

/**
 * gRPC codes of an outage: cancelled, deadline exceeded, resource exhausted, failed precondition (a query to a workflow whose
 * task fails), internal, unavailable.
 */
const outageCodes = new Set([1, 4, 8, 9, 13, 14]);

/** The server lacks what `prepareNamespace` makes: a client can only repeat its request later, as in an outage. */
const lacksSetup = ({ code, details }: { code: number; details: string }): boolean =>
  (code === 3 && /search attribute/i.test(details)) || (code === 5 && /^Namespace .* is not found/.test(details));

/** Turns the errors of an outage into `Unavailable`, and returns every other error as it is. */
function asTemporalOutage(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : error;
  const isOutage = isGrpcServiceError(cause) && (outageCodes.has(cause.code) || lacksSetup(cause));
  // A query that no worker picks up, or that a worker of another version does not define.
  const isUnanswered = error instanceof QueryNotRegisteredError;
  return isOutage || isUnanswered ? new Unavailable('temporal', { cause: error }) : error;
}
