import { countWithoutCall, hasCallLimitHeaders, limitRequest } from '../limits/take-limits.ts';
import type { Exchange } from './exchange.ts';

/** All requests of the caller: 429, before a body is read. `spec 9.5` */
export async function limitRequests(exchange: Exchange): Promise<void> {
  const { spec, request, response, onEnd } = exchange;
  await limitRequest(exchange, spec, request);
  onEnd(() => {
    if (spec.makesCall && !hasCallLimitHeaders(response)) countWithoutCall(exchange, spec);
  });
}
