import type { z } from 'zod';
import type { ModelHealth } from '../../../contracts/model-health.ts';
import type { Range } from '../../../db/figures/job-days.ts';
import type { ModelHealthFigures } from '../../../db/figures/read-model-health.ts';
import { percentile } from '../../../domain/latency-histogram.ts';

const toLatencies = (counts: readonly (number | null)[]) => {
  const latencies = counts.map((count) => count ?? 0);
  return { p50_latency_ms: percentile(latencies, 0.5), p95_latency_ms: percentile(latencies, 0.95) };
};

const errorRate = (errors: number, all: number): number | null => (all === 0 ? null : errors / all);

export const serializeModelHealth = (
  range: Range,
  { groups, models, calls_complete_until }: ModelHealthFigures,
): z.input<typeof ModelHealth> => ({
  from: range.from.toISOString(),
  to: range.until.toISOString(),
  clock: 'call_finished',
  complete_until: calls_complete_until.toISOString(),
  groups: groups.map(({ latency, errors_by_kind, ...group }) => ({
    ...group,
    error_rate: errorRate(group.errors, group.calls),
    errors_by_kind: errors_by_kind ?? {},
    ...toLatencies(latency),
  })),
  models: models.map(({ latency, errors_by_kind, ...model }) => ({
    ...model,
    error_rate: errorRate(model.errors, model.attempts),
    errors_by_kind: errors_by_kind ?? {},
    ...toLatencies(latency),
  })),
});
