import { authenticate } from '../auth/authenticate.ts';
import { hasBody, receiveBody } from '../body/receive-body.ts';
import type { Exchange } from './exchange.ts';

/**
 * The bytes of the body: 413 over the limit. After authentication, because a stranger must not make the process hold ten megabytes. The
 * caller's right may have ended while they arrived: 401, 403. The statement that admits a call verifies its key by itself.
 */
export async function readBody(exchange: Exchange): Promise<void> {
  const { deps, request, spec, caller } = exchange;
  // A call that is made once more, because its key has changed, has its body.
  if (exchange.hasReadBody) return;
  exchange.hasReadBody = true;
  const arrivesLater = !request.complete && hasBody(request);
  exchange.body = await receiveBody(exchange);
  exchange.onEnd(() => exchange.body?.release());
  const isVerifiedByCall = spec.makesCall && request.headers['idempotency-key'] === undefined;
  if (arrivesLater && !isVerifiedByCall && caller.kind !== 'anonymous')
    exchange.caller = await authenticate(deps, request, spec);
}
