import type { RefusalCode } from '../../errors.ts';
import { failuresOfCalls } from '../../errors.ts';
import type { BodyForm } from '../route.ts';

/** How the body of a call under `/v1` is read. */
export const callBodyForm: BodyForm = {
  limit: (config) => config.CALL_BODY_LIMIT,
  depth: 64,
  values: 500_000,
  isForwarded: true,
};

/** The refusals of every endpoint under `/v1` that makes a call. */
export const refusalsOfCalls: readonly RefusalCode[] = [
  'job_of_another_team',
  'job_not_found',
  'job_finished',
  'job_required',
  'model_not_found',
  'insufficient_credits',
  'key_limit_reached',
  'price_unknown',
  'job_budget_reached',
  'job_budget_held',
  'job_deadline_exceeded',
  ...failuresOfCalls,
];
