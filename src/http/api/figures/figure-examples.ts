const days = ['2026-01-30T00:00:00.000Z', '2026-01-31T00:00:00.000Z'];
const range = { from: days[0], to: '2026-02-01T00:00:00.000Z', complete_until: '2026-01-31T09:30:00.000Z' };

/** A figure of two days, with the two before them. */
const card = <T>(value: T, previous: T, first: T, second: T) => ({ value, previous, spark: [first, second] });

export const seriesExample = {
  ...range,
  metric: 'cost_usd',
  group_by: 'job_type',
  bucket: 'day',
  tz: 'UTC',
  clock: 'job_created',
  groups: [
    { key: 'summarize_report', label: 'summarize_report', total: 0.0129 },
    { key: 'translate_letter', label: 'translate_letter', total: 0.006 },
  ],
  other: null,
  total: 0.0189,
  points: [
    { at: days[0], total: 0.0107, values: [0.0077, 0.003], other: null },
    { at: days[1], total: 0.0082, values: [0.0052, 0.003], other: null },
  ],
};

export const burnRateExample = {
  team_id: 'acme-research',
  credits_remaining: 4,
  credit_limit: 5,
  days: 6.4,
  credits_used: 1,
  credits_per_day: 0.16,
  lasts_days: 25.6,
  is_estimate: true,
};

export const overviewExample = {
  ...range,
  bucket: 'day',
  buckets: days,
  jobs: card(42, 37, 22, 20),
  success_rate: card(0.95, 0.92, 1, 0.9),
  credits_charged: card(39, 34, 22, 17),
  cost_usd: card(0.0189, 0.0167, 0.0107, 0.0082),
  margin_usd: card(9.7311, 8.4833, 5.4893, 4.2418),
  p95_latency_ms: card(1_240, 1_310, 1_190, 1_280),
  outcomes: [
    { at: days[0], completed: 22, failed: 0, cancelled: 0, open: 0 },
    { at: days[1], completed: 17, failed: 2, cancelled: 0, open: 1 },
  ],
  cost_by_model_group: [{ model_group: 'chat-large', cost_usd: 0.0189 }],
  newest_failures: [
    {
      job_id: '3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35',
      team_id: 'acme-research',
      job_type: 'summarize_report',
      completed_at: '2026-01-31T09:30:01.250Z',
      error_message: 'The report has no figures',
    },
  ],
  attention: { items: [], total: 0 },
  burn_rate: burnRateExample,
};

const margin = {
  jobs: 42,
  charged_jobs: 39,
  free_jobs: 2,
  failed_jobs: 2,
  credits_charged: 39,
  credits_refunded: 0,
  credits: 39,
  revenue_usd: 9.75,
  cost_usd: 0.0189,
  free_cost_usd: 0.0009,
  failed_cost_usd: 0.0009,
  estimated_cost_usd: 0.0002,
  margin_usd: 9.7311,
  margin_percent: 99.81,
};

export const marginsExample = {
  ...range,
  group_by: 'team_id',
  clock: 'job_created',
  usd_per_credit: 0.25,
  total: margin,
  rows: [{ key: 'acme-research', label: 'Research', ...margin }],
  rows_total: 1,
};

const sums = { tokens: 3_860, cost_usd: 0.0189, p50_latency_ms: 840, p95_latency_ms: 1_240 };

export const modelHealthExample = {
  ...range,
  clock: 'call_finished',
  groups: [
    {
      model_group: 'chat-large',
      calls: 44,
      errors: 1,
      error_rate: 1 / 44,
      errors_by_kind: { timeout: 1 },
      fallbacks: 2,
      ...sums,
    },
  ],
  models: [
    {
      model: 'openai/gpt-4o',
      model_groups: ['chat-large'],
      attempts: 44,
      errors: 3,
      error_rate: 3 / 44,
      cancelled: 0,
      calls: 42,
      errors_by_kind: { timeout: 1 },
      fallbacks: 0,
      ...sums,
    },
  ],
};

const failed = { calls: 3, failed_calls: 1, jobs: 3 };

export const errorsExample = {
  ...range,
  clock: 'job_created',
  bucket: 'day',
  buckets: days,
  total: failed,
  groups: [
    {
      kind: 'rate_limited',
      model_group: 'chat-large',
      model: 'openai/gpt-4o',
      status_code: 429,
      error_code: 'rate_limit_exceeded',
      ...failed,
      first_at: '2026-01-30T09:30:00.000Z',
      last_at: '2026-01-31T09:30:00.000Z',
      trend: [1, 2],
    },
  ],
  groups_total: 1,
};

const jobsOfStatement = {
  jobs: 42,
  completed: 39,
  failed: 2,
  cancelled: 1,
  open: 0,
  charged_jobs: 39,
  credits_charged: 39,
};

export const statementExample = {
  organization_name: 'Acme',
  is_complete: true,
  credits: { opening_balance: 100, allocated: 50, deducted: 39, refunded: 1, adjusted: -2, closing_balance: 110 },
  jobs: jobsOfStatement,
  job_types: [{ job_type: 'summarize_report', ...jobsOfStatement }],
};
