import type { Config } from '../config.ts';
import type { CallSettings } from '../db/entities/team.ts';
import type { CallResult } from '../domain/call-result.ts';
import { wasAborted } from '../domain/call-state.ts';
import { noTokens } from '../domain/pricing.ts';
import { refuseByLimit } from '../errors.ts';
import { type LimitUse, limitName } from '../redis/limits/counters.ts';
import { type CallContext, type CallingTeam, type ModelRequest, VirtualKeyChanged } from './call-context.ts';

const windowMs = 60_000;

/** What a team has used above its limit of tokens counts for an hour at most: one call cannot lock a team out for longer. */
const maxWindows = 60;

interface LimitedTeam<Limit extends keyof CallSettings> {
  teamId: string;
  settings: Pick<CallSettings, Limit>;
}

/** A call uses one of the team's calls of the minute. `spec 9.1` */
export const newCallUse = (config: Config, { teamId, settings }: LimitedTeam<'rpm_limit'>): LimitUse => ({
  key: `calls:${teamId}`,
  cost: 1,
  limit: settings.rpm_limit ?? config.RATE_LIMIT_CALLS_PER_MINUTE,
  windowMs,
});

/** A call uses so many of the team's tokens of the minute. `spec 9.1` */
export const newTokenUse = (
  config: Config,
  { teamId, settings }: LimitedTeam<'tpm_limit'>,
  estimate: number,
): LimitUse => {
  const limit = settings.tpm_limit ?? config.RATE_LIMIT_TOKENS_PER_MINUTE;
  return { key: `tokens:${teamId}`, cost: Math.min(estimate, limit), limit, windowMs, maxWindows };
};

/** A thousand limits take some kilobytes. Beyond so many the oldest is deleted. */
const maxOutputLimits = 10_000;

const modelKey = ({ teamId }: CallingTeam, { model }: ModelRequest): string => `${teamId}\n${model}`;

/** Null: the model has no limit. */
export function rememberOutputLimit({ deps, team }: CallContext, request: ModelRequest, limit: number | null): void {
  const { outputLimits } = deps;
  const key = modelKey(team, request);
  if (limit === null) outputLimits.delete(key);
  else outputLimits.set(key, limit);
  if (outputLimits.size > maxOutputLimits) outputLimits.delete(outputLimits.keys().next().value!);
}

/** Tokens of the prompt and the longest answer. Without a limit for the answer, of the client or of the model, only the prompt. */
function estimateTokens({ deps, team }: CallContext, request: ModelRequest): number {
  const { promptTokens, maxTokens, isForEmbeddings, mostCountedOfAnswer = Number.POSITIVE_INFINITY } = request;
  if (isForEmbeddings) return Math.max(1, promptTokens);
  const limit = deps.outputLimits.get(modelKey(team, request)) ?? Number.POSITIVE_INFINITY;
  const longest = Math.min(maxTokens > 0 ? maxTokens : limit, limit);
  const answer = Number.isFinite(longest) ? Math.min(longest, mostCountedOfAnswer) : longest;
  return Math.max(1, Math.ceil(promptTokens + (Number.isFinite(answer) ? answer : 0)));
}

/** The tokens that a call has reserved of its team's limit. Exactly one of the two methods is to be called, once. */
export interface TokenReservation {
  /** The call has ended: its tokens replace the estimate. */
  replaceEstimate(result: CallResult): void;
  /**
   * The call was refused or not made: the tokens are returned. The call still counts for the limit of calls, unless the request
   * is about to be executed again.
   */
  release(reason: unknown): void;
}

/**
 * Takes one call and its estimated tokens out of the team's minute, both or neither. An estimate over the limit is cut to it, so
 * that a large call can be made at all. Refuses with `rate_limited` and the state of the limit. `spec 9.1`
 */
export async function reserveTokens(context: CallContext, request: ModelRequest): Promise<TokenReservation> {
  const { deps, team } = context;
  const call = newCallUse(deps.config, team);
  const tokens = newTokenUse(deps.config, team, estimateTokens(context, request));
  const reserved = tokens.cost;
  const taken = await deps.rateLimits.take([call, tokens]);
  const limits = { calls: taken.states[0]!, tokens: taken.states[1]! };
  if (taken.refusedBy !== undefined)
    throw refuseByLimit(
      'rate_limited',
      taken.states[taken.refusedBy]!,
      limitName([call, tokens][taken.refusedBy]!),
      limits,
    );
  context.onLimit(limits);
  return {
    // This runs after the answer is sent: the next request of the client arrives later.
    replaceEstimate: (result) => void setImmediate(() => taken.correct(tokens, usedTokens(request, result) - reserved)),
    release: (reason) => {
      taken.correct(tokens, -reserved);
      if (reason instanceof VirtualKeyChanged) taken.correct(call, -1);
    },
  };
}

/** The tokens that the upstream has counted, or an estimate where it counted none although a model has, or may have, worked on the call. */
function usedTokens(request: ModelRequest, result: CallResult): number {
  if (result.status === 'refused' || result.status === 'retracted') return 0;
  const { usage = noTokens, uncounted = 0 } = result;
  if (usage.totalTokens > 0) return usage.totalTokens;
  const mayHaveWorked = result.status === 'succeeded' || uncounted > 0 || wasAborted(result.error);
  return mayHaveWorked ? request.promptTokens + uncounted : 0;
}
