import type { z } from 'zod';
import type { Config } from '../../../config.ts';
import type { System } from '../../../contracts/system.ts';
import type { SystemFigures } from '../../../db/figures/read-system.ts';
import { percentile } from '../../../domain/latency-histogram.ts';
import type { SystemState } from '../../../services/operation/get-system.ts';
import { version } from '../../../version.ts';

const startedAt = new Date(performance.timeOrigin).toISOString();

/** The api does not probe the upstream: the outcomes of the workers' requests show its state. */
function upstreamState({ attempts, succeeded, latency }: SystemFigures['upstream']) {
  const status = attempts === 0 ? 'unknown' : succeeded > 0 ? 'up' : 'down';
  const median = percentile(
    latency.map((count) => count ?? 0),
    0.5,
  );
  return { status, latency_ms: median } as const;
}

/** The Temporal UI's list of the namespace. */
const temporalUi = ({ TEMPORAL_UI_URL: url, TEMPORAL_NAMESPACE: namespace }: Config): string | null =>
  url === undefined ? null : `${url.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;

export function serializeSystem(
  { measured, figures, isWorkerAway }: SystemState,
  config: Config,
): z.input<typeof System> {
  const { workers, steps, cursors, oldest_payload_at, calls_complete_until, upstream, ...backlog } = figures;
  const days = config.PAYLOAD_RETENTION_DAYS;
  return {
    version,
    started_at: startedAt,
    dependencies: {
      ...measured,
      upstream: upstreamState(upstream),
      worker: { status: isWorkerAway ? 'down' : 'up', latency_ms: null },
    },
    workers,
    maintenance: {
      last_round_at:
        steps
          .map(({ ran_at }) => ran_at)
          .sort()
          .at(-1) ?? null,
      steps: steps.map(({ step, ran_at, handled }) => ({ step, ran_at, handled, has_failed: handled === null })),
      cursors,
    },
    retention: {
      payload_days: days,
      delivery_days: days,
      session_days: days,
      idempotency_hours: 24,
      oldest_payload_at: oldest_payload_at?.toISOString() ?? null,
    },
    backlog: {
      ...backlog,
      // Before the first round of maintenance it is the beginning of time.
      figures_complete_until: calls_complete_until.getTime() === 0 ? null : calls_complete_until.toISOString(),
    },
    links: { temporal_ui: temporalUi(config), docs: '/docs', metrics: '/metrics' },
  };
}
