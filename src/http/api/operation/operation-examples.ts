import { version } from '../../../version.ts';

const moment = '2026-01-31T09:30:00.000Z';

const workers = [
  {
    worker_id: 'b85c2f0e-1d94-4e37-a6c8-90f1d27e5b43',
    task_queue: 'llm-jobs',
    version,
    started_at: '2026-01-30T17:04:12.000Z',
    seen_at: moment,
    is_live: true,
  },
];

const depths = { queued_calls: 1, running_calls: 12, open_jobs: 9, oldest_queued_seconds: 0.1 };

export const attentionExample = {
  items: [
    {
      kind: 'team_low',
      severity: 'warning',
      title: 'Credits of Research run out',
      detail: '4 of 50 credits are left',
      link: { type: 'team', id: 'acme-research' },
      since: '2026-01-31T09:30:01.250Z',
    },
  ],
  total: 1,
};

export const liveExample = {
  ...depths,
  tokens_per_second: 412.5,
  calls_per_minute: 281,
  teams: [
    {
      team_id: 'acme-research',
      team_alias: 'Research',
      open_jobs: 9,
      running_calls: 12,
      queued_calls: 1,
      rpm_used: 48,
      rpm_limit: 120,
      tpm_used: 20_400,
      tpm_limit: 60_000,
    },
  ],
  teams_total: 1,
  workers,
  at: moment,
};

const up = (latency_ms: number | null) => ({ status: 'up', latency_ms });

export const systemExample = {
  version,
  started_at: '2026-01-30T17:04:10.000Z',
  dependencies: { postgres: up(1.2), redis: up(0.4), temporal: up(1.9), upstream: up(840), worker: up(null) },
  workers,
  maintenance: {
    last_round_at: moment,
    steps: [{ step: 'rollUpCalls', ran_at: moment, handled: 140, has_failed: false }],
    cursors: [{ name: 'hourly calls', done_until: '2026-01-31T09:29:50.000Z' }],
  },
  retention: {
    payload_days: 30,
    delivery_days: 30,
    session_days: 30,
    idempotency_hours: 24,
    oldest_payload_at: '2026-01-02T08:00:00.000Z',
  },
  backlog: {
    ...depths,
    unsent_deliveries: 0,
    pending_deliveries: 2,
    figures_complete_until: '2026-01-31T09:29:50.000Z',
  },
  links: {
    temporal_ui: 'https://temporal.example.com/namespaces/default/workflows',
    docs: '/docs',
    metrics: '/metrics',
  },
};
