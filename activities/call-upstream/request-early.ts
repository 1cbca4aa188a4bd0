import { insertEarlyAttempt } from '../../src/db/calls/insert-attempts.ts';
import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
import type { ActivityDeps } from '../ports.ts';
import { CallRequest } from './call-request.ts';
import type { EarlyAnswer } from './early-answer.ts';
import { modelCall } from './model-call.ts';
import { fieldsOfCall, traceAttempt } from './trace-call.ts';
import { type AnswerReceiver, tryModels } from './try-models.ts';

/**
 * Requests the answer to a queued call, which stays queued. Undefined: the call is not queued any more, another worker requests its answer,
 * or this cannot be recorded now.
 */
export async function requestEarly(deps: ActivityDeps, call: RequestOfCall): Promise<EarlyAnswer | undefined> {
  const { call_id, job_id } = call;
  if (!(await insertEarlyAttempt(deps.database, call_id).catch(() => false))) return undefined;
  const span = traceAttempt(deps, call, { workerAttempt: 1 });
  const request = new CallRequest(deps, call);
  const aborting = new AbortController();
  const { promise: adopted, resolve, reject } = Promise.withResolvers<AnswerReceiver>();
  let isAdopted = false;
  const receiver: AnswerReceiver = {
    signal: aborting.signal,
    onDelta: async (delta) => (await adopted).onDelta(delta),
  };
  const requestedAt = performance.now();
  const outcome = modelCall(deps, call, request, receiver, span).then(tryModels);
  // Nothing waits for the answer of one that is discarded.
  for (const promise of [adopted, outcome]) promise.catch(() => undefined);
  return {
    request,
    requestedAt,
    span,
    adopt(adopting) {
      isAdopted = true;
      const { signal } = adopting;
      const abort = () => aborting.abort(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      resolve(adopting);
      return outcome;
    },
    discard() {
      if (isAdopted) return;
      const reason = new Error('NOT_GIVEN');
      aborting.abort(reason);
      reject(reason);
      span?.end('discarded');
      deps.log.info({ ...fieldsOfCall(call), call_id, job_id }, 'speculative start: discarded');
    },
  };
}
