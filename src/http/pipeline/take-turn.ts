import { isLarge } from '../body/receive-body.ts';
import type { Exchange } from './exchange.ts';

/** A body that is not small is unpacked, parsed and checked in its holder's turn on the thread. */
export function takeTurn(exchange: Exchange): void | Promise<void> {
  const { body, request } = exchange;
  if (body && isLarge(request, body.bytes)) return waitForTurn(exchange);
}

async function waitForTurn(exchange: Exchange): Promise<void> {
  const { deps, holder, disconnected } = exchange;
  exchange.leaveThread = await deps.measures.thread.acquire(holder, { signal: disconnected });
  exchange.onEnd(() => exchange.leaveThread());
}
