import type { ActiveSpan } from '../../src/tracing/tracing.ts';
import type { CallRequest } from './call-request.ts';
import type { AnswerReceiver, ModelOutcome } from './try-models.ts';

/** The answer to a request that was sent before Temporal gave this worker the call. */
export interface EarlyAnswer {
  request: CallRequest;
  /** Of `performance.now()`. */
  requestedAt: number;
  /** The attempt's, which has begun with the request. Undefined: it is not traced. */
  span: ActiveSpan | undefined;
  /** The attempt that has started the call goes on with it. Until then nothing of the answer is read beyond its first piece. */
  adopt(receiver: AnswerReceiver): Promise<ModelOutcome>;
  /** Aborts a request that no attempt has adopted: it stays interrupted in the record. */
  discard(): void;
}
