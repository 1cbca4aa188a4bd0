import type { CallContext } from '../../../calls/call-context.ts';
import { callContext } from '../../api/calls/support/call-request.ts';
import { teamLimitHeaders } from '../../limits/limit-headers.ts';
import type { RequestContext } from '../../route.ts';

/** The headers of an answer, beside those of every call. */
export const chatHeaders: readonly string[] = [
  'X-Ignored-Fields',
  ...['requests', 'tokens'].flatMap((name) =>
    ['limit', 'remaining', 'reset'].map((figure) => `x-ratelimit-${figure}-${name}`),
  ),
];

/** The context of a call, with the headers that its answer has. `spec 17.19` */
export function chatContext(context: RequestContext, unknownFields: readonly string[]): CallContext {
  const { setHeader } = context;
  const base = callContext(context, unknownFields);
  return {
    ...base,
    onLimit(limits) {
      base.onLimit(limits);
      for (const [name, value] of Object.entries(teamLimitHeaders(limits))) setHeader(name, value);
    },
  };
}
