import { authenticate } from '../auth/authenticate.ts';
import { hasBody, receiveBody } from '../body/receive-body.ts';
import { isNewCall } from '../idempotency/idempotency-key.ts';
import type { Exchange } from './exchange.ts';

/**
 * The bytes of the body: 413 over the limit. After authentication, because a stranger must not make the process hold ten megabytes. The
 * caller's right may have ended while they arrived: 401, 403. The statement that admits a call verifies its key by itself.
 */
export async function readBody(exchange: Exchange): Promise<void> {
  const { deps, request, spec, caller } = exchange;
  // A call that is made once more, because its key has changed, has its body, or the refusal of it.
  if (exchange.receiving) return void (await exchange.receiving);
  const arrivesLater = !request.complete && hasBody(request);
  exchange.receiving = receiveBody(exchange);
  exchange.body = await exchange.receiving;
  exchange.onEnd(() => exchange.body?.release());
  if (arrivesLater && !isNewCall(spec, request) && caller.kind !== 'anonymous')
    exchange.caller = await authenticate(deps, request, spec);
}
