import type { FinishedCall } from '../../src/db/calls/finish-call.ts';

/** The result of the first attempt at a call, of two tokens. */
export const finished = (
  call_id: string,
  status: FinishedCall['status'],
  fields: Partial<FinishedCall> = {},
): FinishedCall => ({
  call_id,
  worker_attempt: 1,
  status,
  asynchronous: false,
  model_used: null,
  prompt_tokens: 1,
  completion_tokens: 1,
  total_tokens: 2,
  cached_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  cost_usd: '1',
  estimated_cost_usd: '0',
  latency_ms: 1,
  finish_reason: null,
  has_tool_calls: false,
  error: status === 'failed' ? 'why' : null,
  failure: null,
  tokens_unknown: false,
  cost_unknown: false,
  kept_request: null,
  kept_options: null,
  attempts: [],
  response: null,
  ...fields,
});
