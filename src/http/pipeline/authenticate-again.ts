import { authenticate } from '../auth/authenticate.ts';
import type { Exchange } from './exchange.ts';

/** Rights may have ended while the body arrived. The statement that admits a call verifies its key by itself. */
export function authenticateAgain(exchange: Exchange): void | Promise<void> {
  const { request, spec, caller, arrivesLater } = exchange;
  const isVerifiedByCall = spec.makesCall && request.headers['idempotency-key'] === undefined;
  if (arrivesLater && !isVerifiedByCall && caller.kind !== 'anonymous') return authenticateNow(exchange);
}

async function authenticateNow(exchange: Exchange): Promise<void> {
  exchange.caller = await authenticate(exchange.deps, exchange.request, exchange.spec);
}
