import type { ModelRequest } from '../../calls/call-context.ts';
import { requireTeamCaller } from '../../services/caller.ts';
import type { RepeatableRequest } from '../../services/calls/make-call.ts';
import { computeFingerprint, headersOfRequest } from '../idempotency/idempotency-key.ts';
import type { RequestContext } from '../route.ts';
import { JobHeaders } from './call-target.ts';

/** The clients of OpenAI and Anthropic set it, to 0 in a first request. */
const retryCountHeader = 'x-stainless-retry-count';

/**
 * Equal requests of one virtual key have the same body, and the same headers that name the job. There is a fingerprint for each
 * MASTER_KEY that is valid: a call may be repeated at a process that has exchanged the two. `rest`: the body but for what goes upstream
 * as text. `spec 18.7`
 */
export const repeatable = (
  context: RequestContext,
  request: ModelRequest,
  rest: Record<string, unknown>,
): RepeatableRequest => ({
  isRepetition: /^[1-9]\d{0,8}$/.test(String(context.sentHeaders[retryCountHeader])),
  fingerprints() {
    const headers = headersOfRequest(JobHeaders, context);
    return requireTeamCaller(context.caller).key.hashes.map((hash) =>
      computeFingerprint(hash, request.body, rest, headers),
    );
  },
});
