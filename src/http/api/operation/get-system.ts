import { System } from '../../../contracts/system.ts';
import { readSystem, type SystemFigures } from '../../../db/figures/read-system.ts';
import { percentileOf } from '../../../domain/latency-histogram.ts';
import { measureDependencies } from '../../../liveness/measure-dependencies.ts';
import { version } from '../../../version.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { systemExample } from './support/operation-examples.ts';

const startedAt = new Date(performance.timeOrigin).toISOString();

/** The api does not probe the upstream: the outcomes of the workers' requests show its state. */
function upstreamState({ attempts, succeeded, latency }: SystemFigures['upstream']) {
  const status = attempts === 0 ? 'unknown' : succeeded > 0 ? 'up' : 'down';
  const median = percentileOf(
    latency.map((count) => count ?? 0),
    0.5,
  );
  return { status, latency_ms: median } as const;
}

/** The Temporal UI's list of the namespace. */
const temporalUi = ({ TEMPORAL_UI_URL: url, TEMPORAL_NAMESPACE: namespace }: Deps['config']): string | null =>
  url === undefined ? null : `${url.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;

async function readNow(deps: Deps) {
  const [measured, figures] = await Promise.all([measureDependencies(deps), readSystem(deps.database)]);
  const { workers, steps, cursors, oldest_payload_at, calls_complete_until, upstream, ...backlog } = figures;
  const days = deps.config.PAYLOAD_RETENTION_DAYS;
  return {
    version,
    started_at: startedAt,
    dependencies: {
      ...measured,
      upstream: upstreamState(upstream),
      worker: { status: deps.workerWatch.isUnavailable() ? ('down' as const) : ('up' as const), latency_ms: null },
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
    links: { temporal_ui: temporalUi(deps.config), docs: '/docs', metrics: '/metrics' },
  };
}

export const getSystem = route(
  {
    method: 'get',
    path: '/api/system',
    summary: 'Read the state of the installation',
    description: 'Dependencies, workers with their versions, maintenance, retention, and what waits.',
    tag: 'Operation',
    access: { audience: ['admin'] },
    response: System,
    limits: { rate: 'management', place: 'lists' },
    example: { response: systemExample },
  },
  ({ deps }) => deps.figures('system', () => readNow(deps)),
);
