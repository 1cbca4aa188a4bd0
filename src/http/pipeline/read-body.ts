import { hasBody, receiveBody } from '../body/receive-body.ts';
import type { Exchange } from './exchange.ts';

/** The bytes of the body: 413 over the limit. After authentication, because a stranger must not make the process hold ten megabytes. */
export async function readBody(exchange: Exchange): Promise<void> {
  if (exchange.hasReadBody) return;
  exchange.hasReadBody = true;
  exchange.arrivesLater = !exchange.request.complete && hasBody(exchange.request);
  exchange.body = await receiveBody(exchange);
  exchange.onEnd(() => exchange.body?.release());
}
