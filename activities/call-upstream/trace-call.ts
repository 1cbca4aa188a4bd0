import type { Config } from '../../src/config.ts';
import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
import { callErrorCode } from '../../src/domain/call-error-code.ts';
import { readCallOptions } from '../../src/domain/call-options.ts';
import type { TraceContext } from '../../src/domain/trace-context.ts';
import { requestFields } from '../../src/log.ts';
import { type GenAiOperation, genAi } from '../../src/tracing/gen-ai.ts';
import type { ActiveSpan, Tracing } from '../../src/tracing/tracing.ts';
import type { CompletionResult } from '../../src/upstream/answer/answer.ts';
import { UpstreamError } from '../../src/upstream/upstream-error.ts';

interface TracingDeps {
  tracing: Tracing | undefined;
  config: Pick<Config, 'UPSTREAM_BASE_URL' | 'UPSTREAM_TEAM_KEYS'>;
}

interface Attempt {
  workerAttempt: number;
  /** Of `Date.now()`. */
  startedAt?: number;
}

const idsOf = ({ call_id, job_id }: RequestOfCall) => ({ 'job.id': job_id, 'session.id': job_id, 'call.id': call_id });

/** What a line of the log about a call is found by. */
export const fieldsOfCall = ({ request_id, trace_context }: RequestOfCall) =>
  requestFields({ requestId: request_id ?? undefined, traceContext: trace_context ?? undefined });

/** The span of one worker attempt at a call, which belongs to the trace of the call's request: so does that of an attempt after a worker's death. */
export const traceAttempt = (
  { tracing }: TracingDeps,
  call: RequestOfCall,
  { workerAttempt, startedAt }: Attempt,
): ActiveSpan | undefined =>
  tracing?.start({
    name: 'call attempt',
    kind: 'internal',
    parent: call.trace_context,
    ...(startedAt !== undefined && { startedAt }),
    attributes: {
      ...idsOf(call),
      'team.id': call.team_id,
      'request.id': call.request_id ?? undefined,
      'call.attempt': workerAttempt,
    },
  });

/** Runs an attempt. Its span ends with it. Why a model has failed is in the span of its request. */
export async function inAttempt<T extends { error: string | null }>(
  span: ActiveSpan | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    const result = await attempt();
    span?.end(callErrorCode({ status: 'failed', failure: null, ...result }) ?? undefined);
    return result;
  } catch (error) {
    // Another attempt has the call, or is to have it.
    span?.end('interrupted');
    throw error;
  }
}

/** The span of one request to one model. */
export interface ModelSpan {
  /** What the upstream continues. */
  readonly context: TraceContext;
  /** A piece of a stream has arrived. */
  receivePiece(): void;
  /** `error`: what the request has failed with. */
  end(answer: CompletionResult, error: unknown, isAborted: boolean): void;
}

/** Undefined: the attempt is not traced. */
export function traceModels(
  deps: TracingDeps,
  call: RequestOfCall,
  attempt: ActiveSpan | undefined,
): ((model: string) => ModelSpan) | undefined {
  const { tracing, config } = deps;
  if (!tracing || !attempt) return undefined;
  const operation: GenAiOperation = readCallOptions(call.options).inputs === undefined ? 'chat' : 'embeddings';
  const { hostname, port, protocol } = new URL(config.UPSTREAM_BASE_URL);
  return (model) => {
    const startedAt = performance.now();
    const span = tracing.start({
      name: `${operation} ${model}`,
      kind: 'client',
      parent: attempt.context,
      attributes: {
        ...idsOf(call),
        [genAi.operation]: operation,
        // Which provider LiteLLM asks is not known; any other upstream has the API of OpenAI.
        [genAi.provider]: config.UPSTREAM_TEAM_KEYS === 'litellm' ? 'litellm' : 'openai',
        [genAi.requestModel]: model,
        [genAi.serverAddress]: hostname,
        [genAi.serverPort]: Number(port) || (protocol === 'https:' ? 443 : 80),
        [genAi.stream]: call.streamed || undefined,
      },
    });
    let hasPiece = false;
    return {
      context: span.context,
      receivePiece() {
        if (!hasPiece) span.set({ [genAi.timeToFirstChunk]: (performance.now() - startedAt) / 1_000 });
        hasPiece = true;
      },
      end({ usage, modelUsed }, error, isAborted) {
        const isCounted = usage.totalTokens > 0;
        span.set({
          [genAi.responseModel]: modelUsed,
          [genAi.inputTokens]: isCounted ? usage.promptTokens : undefined,
          [genAi.outputTokens]: isCounted && operation === 'chat' ? usage.completionTokens : undefined,
        });
        span.end(error === undefined ? undefined : isAborted ? 'cancelled' : typeOf(error));
      },
    };
  };
}

/** The status, the code of a connection, or a word of this service: never the text of an error. */
function typeOf(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'interrupted';
  const { status, connection } = error.details;
  return String(status ?? connection ?? error.failure);
}
