import { answered, breakConnection, type Exchange, pause } from './exchange.ts';
import { refuse } from './refuse.ts';

/**
 * Handles a request as a script for its path says. A `cut` comes after the effect: the team exists, and the client that made it
 * never hears of it. Every other fault comes before.
 */
export async function followScript(exchange: Exchange, handle: (exchange: Exchange) => unknown): Promise<unknown> {
  const { simulation, entry } = exchange;
  const behaviour = simulation.scripts.nextForPath(entry.path);
  if (!behaviour) return handle(exchange);
  await pause(exchange, behaviour.latencyMs);
  if (await refuse(exchange, behaviour, entry.path)) return answered;
  const answer = await handle(exchange);
  return behaviour.fault?.kind === 'cut' && answer !== answered ? breakConnection(exchange, 'cut') : answer;
}
