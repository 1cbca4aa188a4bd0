import { findAgent } from '../../domain/agent.ts';
import { requireTeamCaller } from '../../services/caller.ts';
import { computeFingerprint, headersOfRequest } from '../idempotency/idempotency-key.ts';
import type { RequestContext } from '../route.ts';
import { JobHeaders } from './call-target.ts';

/**
 * The same for equal streamed requests of one key whose agent repeats a stream that was cut, whatever the order of the keys in their bodies.
 * Undefined: no agent is known by the request, or its team wants no turns. `spec 27.9`
 */
export function fingerprintOfAgent(
  context: RequestContext,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const { key, settings } = requireTeamCaller(context.caller);
  if (settings.agent_turns === 'off' || !findAgent({ headers: context.sentHeaders, body })) return undefined;
  return computeFingerprint(key.hashes[0]!, '', body, headersOfRequest(JobHeaders, context)).toString('hex');
}
