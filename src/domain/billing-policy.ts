import type { CallFailure } from './call-failure.ts';

/**
 * When a job that has ended is charged (`spec 21.1`): completed without a failed call; without one that is neither superseded nor its
 * caller's own mistake; completed, whatever its calls; or with one call that succeeded, however it ended.
 */
export const billingPolicies = ['strict', 'superseded_ok', 'completed', 'answered'] as const;
export type BillingPolicy = (typeof billingPolicies)[number];
export const defaultBillingPolicy: BillingPolicy = 'strict';

/** What the calls of a job say about its charge. The function `call_facts` of the database counts them. `spec 21.1`, `spec 21.2` */
export interface CallFacts {
  /** Failed calls after which a call with the same purpose succeeded. */
  superseded: number;
  /** Failed calls that are neither superseded nor the caller's own mistake. */
  unexcused: number;
  /** Calls that succeeded, and those that were cut off after their first token. */
  answered: number;
}

/** The upstream refused the call for its length, its content or another reason that lies in the request. */
const ownMistakes: readonly (CallFailure | null)[] = ['context_length', 'content_policy', 'rejected'];

/** The facts about a job whose only call has ended so, and was not cut off. */
export const factsOfOnlyCall = (call: { status: 'succeeded' | 'failed'; failure: CallFailure | null }): CallFacts => ({
  superseded: 0,
  unexcused: call.status === 'failed' && !ownMistakes.includes(call.failure) ? 1 : 0,
  answered: call.status === 'succeeded' ? 1 : 0,
});

/** The price and the policy of a job that has others than the default. */
export interface JobTerms {
  priceCredits: number;
  policy: BillingPolicy;
  facts: CallFacts;
}
