import type { CallObserver } from '../../services/calls/make-call.ts';
import { callHeaders } from '../call-headers.ts';
import type { RequestContext } from '../route.ts';
import { teamLimitHeaders } from './openai-surface.ts';

/** The headers of a call, and those of both limits of its team. `spec 17.19` */
export function newHeaderObserver(context: RequestContext, unknownFields: readonly string[]): CallObserver {
  const { setHeader } = context;
  const common = callHeaders(context, unknownFields);
  return {
    ...common,
    onLimit(limits) {
      common.onLimit(limits);
      for (const [name, value] of Object.entries(teamLimitHeaders(limits))) setHeader(name, value);
    },
  };
}
