import type { RefusalCode } from '../../../errors.ts';

/** The refusals that every call may get: `spec 4.1` and `spec 9.1`. */
const anyCall = ['model_group_denied', 'model_group_unusable', 'model_group_empty', 'rate_limited'] as const;

export const refusalsInJob: readonly RefusalCode[] = [
  'job_of_another_team',
  'job_not_found',
  'job_finished',
  ...anyCall,
];

export const refusalsOfSingle: readonly RefusalCode[] = ['key_of_another_team', 'insufficient_credits', ...anyCall];
