import { requireTeamCaller } from '../../services/caller.ts';
import { estimatePromptTokens } from '../../services/calls/estimate-tokens.ts';
import { getCallableModel } from '../../services/models/list-callable-models.ts';
import { takeLimits } from '../limits/take-limits.ts';
import type { RequestContext } from '../route.ts';

/** Agents count often, and pay nothing for it. Apart from the limits of calls, and one for all endpoints that count. `spec 28.13` */
const perMinute = 600;
const windowMs = 60_000;

/** Takes one of the counts that the team has a minute: before the request is translated. */
export async function takeTokenCount(context: RequestContext): Promise<void> {
  const { teamId } = requireTeamCaller(context.caller);
  await takeLimits(context, [{ key: `token-counts:${teamId}`, cost: 1, limit: perMinute, windowMs }]);
}

/** The tokens of a prompt of this size, if the team may call the model. `spec 28.14` */
export async function countTokens(
  context: RequestContext,
  model: string,
  size: Parameters<typeof estimatePromptTokens>[2],
): Promise<number> {
  const [tokens] = await Promise.all([
    estimatePromptTokens(context.deps, model, size),
    getCallableModel(context, model),
  ]);
  context.setHeader('X-Token-Count', 'estimated');
  return tokens;
}
