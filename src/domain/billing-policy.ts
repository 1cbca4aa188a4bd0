/**
 * When a job that has ended is charged (`spec 21.1`): completed without a failed call; without one that is neither superseded nor its
 * caller's own mistake; completed, whatever its calls; or with one call that succeeded, however it ended.
 */
export const billingPolicies = ['strict', 'superseded_ok', 'completed', 'answered'] as const;
export type BillingPolicy = (typeof billingPolicies)[number];
export const defaultBillingPolicy: BillingPolicy = 'strict';
