import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
import { countAttempt } from '../../src/metrics/metrics.ts';
import type { ActiveSpan } from '../../src/tracing/tracing.ts';
import type { UpstreamError } from '../../src/upstream/upstream-error.ts';
import type { ActivityDeps } from '../ports.ts';
import type { CallRequest } from './call-request.ts';
import { fieldsOfCall, traceModels } from './trace-call.ts';
import type { AnswerReceiver, ModelCall } from './try-models.ts';

/** A recorded call as its models are asked. */
export async function modelCall(
  deps: ActivityDeps,
  call: RequestOfCall,
  request: CallRequest,
  receiver: AnswerReceiver,
  attempt: ActiveSpan | undefined,
): Promise<ModelCall> {
  const { config, upstream, modelPrice } = deps;
  return {
    upstream,
    modelPrice,
    callId: call.call_id,
    requestId: call.request_id,
    trace: traceModels(deps, call, attempt),
    candidates: await request.candidates(),
    request,
    streamed: call.streamed,
    key: upstreamKey(deps, call),
    timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1_000,
    maxMs: config.UPSTREAM_MAX_SECONDS * 1_000,
    onTried(model, error) {
      const isAborted = receiver.signal.aborted;
      countAttempt(deps.metrics, call, { error, isAborted });
      if (error && !isAborted) logFailure(deps, call, model, error);
    },
    restoreTeam: ({ failure }, requestedAt) =>
      deps.restoreTeam(call.team_id, failure === 'over_budget' ? 'over_budget' : 'unknown', requestedAt),
    ...receiver,
  };
}

/** One line for each request that failed, like the one for each request of a client: never text of the request or its answer. */
function logFailure({ log }: ActivityDeps, call: RequestOfCall, model: string, error: UpstreamError): void {
  const { call_id, job_id, team_id } = call;
  const { failure, details } = error;
  log.warn(
    { ...fieldsOfCall(call), call_id, job_id, team_id, model, failure, ...details },
    `upstream: request failed: ${error.message}`,
  );
}

function upstreamKey({ config, secrets }: ActivityDeps, call: RequestOfCall): string {
  if (config.UPSTREAM_TEAM_KEYS === 'off' || !call.key_sealed) return config.UPSTREAM_MASTER_KEY;
  return secrets.open(call.key_sealed, call.team_id);
}
