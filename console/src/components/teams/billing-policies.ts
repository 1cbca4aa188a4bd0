import type { Price } from '../../api/types.ts';

/** When a job is charged, in words. */
export const policyLabels: Record<NonNullable<Price['billing_policy']>, string> = {
  strict: 'Completed without a failed call',
  superseded_ok: 'Completed; superseded failures do not count',
  completed: 'Completed, whatever its calls',
  answered: 'With one answer, however it ends',
};
