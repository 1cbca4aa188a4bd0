import { ModelHealth, ModelHealthQuery } from '../../../contracts/model-health.ts';
import { readModelHealth } from '../../../db/figures/read-model-health.ts';
import { percentileOf } from '../../../domain/latency-histogram.ts';
import { route } from '../../route.ts';
import { modelHealthExample } from './support/figure-examples.ts';
import { hourRange } from './support/figure-range.ts';
import { keyOf } from './support/figure-scope.ts';

const latenciesOf = (counts: readonly (number | null)[]) => {
  const latencies = counts.map((count) => count ?? 0);
  return { p50_latency_ms: percentileOf(latencies, 0.5), p95_latency_ms: percentileOf(latencies, 0.95) };
};

const rateOf = (errors: number, all: number): number | null => (all === 0 ? null : errors / all);

export const getModelHealth = route(
  {
    method: 'get',
    path: '/api/usage/models',
    summary: 'Read how models and model groups are doing',
    description:
      'Of the calls that ended in the hours of the range, by default the last 24. A model that fails and is replaced by another has an error, ' +
      'although the call succeeds: `errors` of a model counts requests to it, `errors` of a group counts calls.',
    tag: 'Usage',
    access: { audience: ['admin'] },
    query: ModelHealthQuery,
    limits: { rate: 'management', place: 'lists' },
    response: ModelHealth,
    example: { response: modelHealthExample },
  },
  async ({ deps, query }) => {
    const range = hourRange(query);
    const { groups, models, calls_complete_until } = await deps.figures(keyOf('models', range), () =>
      readModelHealth(deps.database, range),
    );
    return {
      from: range.from.toISOString(),
      to: range.until.toISOString(),
      clock: 'call_finished' as const,
      complete_until: calls_complete_until.toISOString(),
      groups: groups.map(({ latency, errors_by_kind, ...group }) => ({
        ...group,
        error_rate: rateOf(group.errors, group.calls),
        errors_by_kind: errors_by_kind ?? {},
        ...latenciesOf(latency),
      })),
      models: models.map(({ latency, errors_by_kind, ...model }) => ({
        ...model,
        error_rate: rateOf(model.errors, model.attempts),
        errors_by_kind: errors_by_kind ?? {},
        ...latenciesOf(latency),
      })),
    };
  },
);
