import { requireTeamCaller } from '../../services/caller.ts';
import { estimatePromptTokens } from '../../services/calls/estimate-tokens.ts';
import { getCallableModel } from '../../services/models/list-callable-models.ts';
import { setIgnoredFields } from '../call-headers.ts';
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

/** A prompt as it would go upstream. */
interface Counted {
  size: Parameters<typeof estimatePromptTokens>[2];
  unknownFields: readonly string[];
  leftOut: readonly string[];
}

/** The tokens of a prompt, if the team may call the model. Names what a call would not send. `spec 28.13` */
export async function countTokens(
  context: RequestContext,
  model: string,
  { size, unknownFields, leftOut }: Counted,
): Promise<number> {
  const [tokens, { extra_fields, blocked_fields }] = await Promise.all([
    estimatePromptTokens(context.deps, model, size),
    getCallableModel(context, model),
  ]);
  const ignoredFields = [...context.ignoredFields, ...leftOut];
  const ofModel = { extraFields: extra_fields, blockedFields: blocked_fields };
  setIgnoredFields({ ...context, ignoredFields }, unknownFields, ofModel);
  context.setHeader('X-Token-Count', 'estimated');
  return tokens;
}
