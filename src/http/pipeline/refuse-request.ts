import { Refusal } from '../../errors.ts';
import { holderOf } from '../../services/holder-of.ts';
import { notedCaller } from '../auth/noted-caller.ts';
import { bodyLimitFor, countBody } from '../body/receive-body.ts';
import { delayRefusal } from '../limits/delay-refusal.ts';
import { countRefusedCredential, withTeamLimits } from '../limits/take-limits.ts';
import type { Exchange } from './exchange.ts';

/** What a refused request still needs: the rest of its body discarded, a repeated refusal delayed. Returns the error to send. */
export async function refuseRequest(exchange: Exchange, error: unknown): Promise<unknown> {
  const { deps, request, response, spec, ip, disconnected } = exchange;
  // 413 comes before 401, so a body of undeclared length is counted first.
  if (!exchange.receiving) await countBody(request, bodyLimitFor(deps, spec));
  // The rest of an unread body would be held in memory until the answer.
  if (!request.complete) request.resume();
  if (error instanceof Refusal && (error.status === 429 || countRefusedCredential(deps, ip, error)))
    await delayRefusal(holderOf(notedCaller(response), ip), response, disconnected);
  return withTeamLimits(exchange, error);
}
