import { version } from '../../version.ts';

/**
 * Values for the examples, by the name of the field. They belong together: the team `acme-research` of the organization `acme`
 * has been allocated 5 credits, and one of them was charged for one job with one call. Where a route needs other values, its spec
 * has an example of its own.
 */

/** A call to a model at 2.5 USD for a million prompt tokens and 10 USD for a million completion tokens. */
const call = { prompt_tokens: 60, completion_tokens: 28, total_tokens: 88, cost_usd: 0.00043, latency_ms: 840 };

const ids: Record<string, string> = {
  job_id: '3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35',
  call_id: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2',
  transaction_id: 'c58e1b26-7f90-4d2a-93b4-e8a05d6714cf',
  webhook_id: '71d3a9e4-8c05-4b6f-a217-5fe0c49b82d6',
  delivery_id: 'e0b7f563-1a9d-4c84-8f3e-29d6a4c15b70',
  audit_id: '58c4e2d1-b63a-4f07-9d85-a1f27e0b6c93',
  user_id: 'b2f90a6c-4e17-4d58-8a3b-6d0c95e7f214',
  session_id: '2c6e90d4-3b15-4f7a-8d02-b91e57a0c6f3',
  model_group_id: '0d86c7a5-f21e-4b93-ae48-3c7b5f9d10e2',
  model_alias_id: '64e1f8b3-9c2d-4075-b8a6-d5e30f7c1a49',
  model_access_group_id: 'a7c35d90-62fb-4e18-95d4-0b8f1e6a73c2',
};

const moments: Record<string, string> = {
  created_at: '2026-01-31T09:30:00.000Z',
  started_at: '2026-01-31T09:30:00.350Z',
  completed_at: '2026-01-31T09:30:01.250Z',
  first_token_at: '2026-01-31T09:30:00.700Z',
  at: '2026-01-31T00:00:00.000Z',
  from: '2026-01-31T00:00:00.000Z',
  to: '2026-02-01T00:00:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  finished_at: '2026-01-31T09:30:01.640Z',
  last_triggered_at: '2026-01-31T09:30:01.640Z',
  last_login: '2026-02-02T08:12:44.000Z',
  expires_at: '2026-02-01T09:30:00.000Z',
  server_time: '2026-01-31T09:30:00.000Z',
  failing_since: '2026-01-30T22:10:00.000Z',
  checked_at: '2026-02-02T08:12:44.000Z',
  next_refill_at: '2026-02-28T09:30:00.000Z',
  previous_key_expires_at: '2026-01-31T10:30:00.000Z',
};

/** By the format of the schema. */
export const byFormat: Record<string, (name: string) => string | undefined> = {
  uuid: (name) => ids[name],
  'date-time': (name) => moments[name],
};

/** Among the values of an enumeration these are shown rather than the first. */
export const likely: ReadonlySet<unknown> = new Set(['completed', 'active', 'delivered', 'succeeded', 'charged', 1]);

/** Keys of the objects that are keyed by names. */
export const keys: Record<string, string> = { teams: 'acme-research', job_types: 'summarize_report' };

export const byName: Record<string, unknown> = {
  organization_id: 'acme',
  team_id: 'acme-research',
  team_alias: 'Research',
  name: 'Acme Inc.',
  display_name: 'Grace Hopper',
  user_id: 'user-17',
  external_task_id: 'task-4711',
  job_type: 'summarize_report',
  group_name: 'chat-large',
  model_group: 'chat-large',
  model_groups: ['chat-large'],
  model_groups_used: ['chat-large'],
  access_groups: ['standard'],
  model_aliases: ['report-writer'],
  teams: ['acme-research'],
  model: 'chat-large',
  requested_model: 'chat-large',
  alias_name: 'report-writer',
  model_name: 'openai/gpt-4o',
  resolved_model: 'openai/gpt-4o',
  would_request: 'openai/gpt-4o',
  model_used: 'gpt-4o-2024-08-06',
  fallbacks: ['openai/gpt-4o-mini'],
  extra_fields: ['top_k'],
  input_price_per_million: 2.5,
  output_price_per_million: 10,
  priority: 0,
  messages: [
    { role: 'system', content: 'You summarize financial reports in one sentence.' },
    {
      role: 'user',
      content:
        'Revenue rose by 12 percent to 4.2 million USD in January. Costs stayed at 3.1 million USD. The number of customers ' +
        'grew from 310 to 352.',
    },
  ],
  content: 'In January revenue rose by 12 percent to 4.2 million USD at unchanged costs, and 42 customers were gained.',
  purpose: 'summary',
  temperature: 0.7,
  finish_reason: 'stop',
  metadata: { cost_center: 'FIN-204' },
  error: null,
  error_message: null,
  ...call,
  tokens: call.total_tokens,
  tokens_used: call.total_tokens,
  total_prompt_tokens: call.prompt_tokens,
  total_completion_tokens: call.completion_tokens,
  total_calls: 1,
  successful_calls: 1,
  failed_calls: 0,
  total_cost_usd: call.cost_usd,
  avg_latency_ms: call.latency_ms,
  total_duration_seconds: 1.25,
  duration_ms: 1_250,
  credits_allocated: 5,
  credits_used: 1,
  credits_remaining: 4,
  credit_limit: 5,
  credits_amount: 1,
  credits_before: 5,
  credits_after: 4,
  refill_amount: 5,
  refill_period: 'monthly',
  last_refill_at: null,
  tokens_per_credit: null,
  credits_per_dollar: null,
  rpm_limit: 120,
  tpm_limit: null,
  max_concurrent_calls: null,
  job_key_from: ['header:x-session-id'],
  reason: 'Job completed',
  virtual_key: `sk-${'Example0'.repeat(6)}`,
  email: 'grace@example.com',
  password: 'quiet harbor lantern nineteen',
  new_password: 'nine purple teapots humming',
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoib3duZXIifQ.c2lnbmF0dXJl',
  has_users: true,
  needs_setup: false,
  setup: 'master-key',
  action: 'created_team',
  resource_type: 'team',
  resource_id: 'acme-research',
  details: { organization_id: 'acme' },
  ip_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  organization_name: 'Acme Inc.',
  idle_timeout_seconds: 3_600,
  webhook_url: 'https://hooks.example.com/jobs',
  events: ['job.completed', 'job.failed'],
  secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtYS13ZWJob29rLTMyYnk=',
  event: 'job.completed',
  last_status_code: 200,
  last_error: null,
  status_code: 200,
  response_excerpt: 'Thank you',
  'webhook-id': ids.delivery_id,
  'webhook-timestamp': '1769851800',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  payload: {
    event: 'job.completed',
    job_id: ids.job_id,
    team_id: 'acme-research',
    timestamp: moments.completed_at,
    data: {
      job_type: 'summarize_report',
      total_calls: 1,
      failed_calls: 0,
      total_tokens: call.total_tokens,
      total_cost_usd: call.cost_usd,
      credit_applied: true,
      duration_seconds: 1,
    },
  },
  period: '2026-01',
  total: 1,
  team_count: 1,
  limit: 100,
  offset: 0,
  version,
};
