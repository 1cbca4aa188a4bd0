import { Overview, OverviewQuery } from '../../../contracts/overview.ts';
import { type OverviewFigures, type OverviewQuestion, readOverview } from '../../../db/figures/read-overview.ts';
import { percentileOf } from '../../../domain/latency-histogram.ts';
import { bucketsOf, dayMs } from '../../../domain/time/buckets.ts';
import { route } from '../../route.ts';
import { attentionOf } from '../operation/support/attention-items.ts';
import { burnRateOf } from './support/burn-rate.ts';
import { overviewExample } from './support/figure-examples.ts';
import { dayRange } from './support/figure-range.ts';
import { figureScope, keyOf } from './support/figure-scope.ts';

/** Longer ranges have a bucket for each month. */
const maxDaysByDay = 92;

const noJobs = { jobs: 0, completed: 0, failed: 0, cancelled: 0, open: 0, credits_charged: 0, cost_usd: 0 };

type Jobs = typeof noJobs & { margin_usd: number | null };

/** Completed jobs as a part of those that have ended. */
function successRate({ completed, failed, cancelled }: Jobs): number | null {
  const ended = completed + failed + cancelled;
  return ended === 0 ? null : completed / ended;
}

/**
 * The sums as cards and columns. The first bucket is the period before the range; those after it are `starts`, of which the ones
 * that have not begun have no figures.
 */
function arrange({ jobs, latencies, calls_complete_until }: OverviewFigures, starts: Date[], hasPrice: boolean) {
  const now = new Date();
  const none: Jobs = { ...noJobs, margin_usd: hasPrice ? 0 : null };
  const jobsIn = (bucket: number | null): Jobs => jobs.find((one) => one.bucket === bucket) ?? none;
  const p95In = (bucket: number | null): number | null => {
    const counts = latencies.find((one) => one.bucket === bucket)?.latency ?? [];
    return percentileOf(
      counts.map((count) => count ?? 0),
      0.95,
    );
  };
  const card = <T>(figureIn: (bucket: number | null) => T, knownUntil = now) => ({
    value: figureIn(null),
    previous: figureIn(1),
    spark: starts.map((start, index) => (start < knownUntil ? figureIn(index + 2) : null)),
  });
  return {
    jobs: card((bucket) => jobsIn(bucket).jobs),
    success_rate: card((bucket) => successRate(jobsIn(bucket))),
    credits_charged: card((bucket) => jobsIn(bucket).credits_charged),
    cost_usd: card((bucket) => jobsIn(bucket).cost_usd),
    margin_usd: card((bucket) => jobsIn(bucket).margin_usd),
    p95_latency_ms: card(p95In, calls_complete_until),
    outcomes: starts.map((start, index) => {
      const { completed, failed, cancelled, open } = jobsIn(index + 2);
      return { at: start.toISOString(), completed, failed, cancelled, open };
    }),
  };
}

export const getOverview = route(
  {
    method: 'get',
    path: '/api/overview',
    summary: 'Read the figures of the overview',
    description:
      'Jobs, credits, cost and margin of the jobs that were created in the range, by default the last 30 days, with the period before it. ' +
      'A team sees its own, without the margin and what needs attention.',
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    query: OverviewQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Overview,
    errors: ['key_of_another_team', 'key_of_another_organization'],
    example: { response: overviewExample },
  },
  async ({ deps, caller, query }) => {
    const scope = figureScope(caller, query);
    const { from, until } = dayRange(query);
    const bucket = until.getTime() - from.getTime() > maxDaysByDay * dayMs ? ('month' as const) : ('day' as const);
    const starts = bucketsOf(bucket, { from, until }, { most: 1_000 });
    const before = new Date(2 * from.getTime() - until.getTime());
    const price = caller.kind === 'team' ? null : (deps.config.USD_PER_CREDIT ?? null);
    const question: OverviewQuestion = {
      ...scope,
      from: before,
      until,
      starts: [before, ...starts],
      usd_per_credit: price,
    };
    const [figures, attention, burn_rate] = await Promise.all([
      deps.figures(keyOf('overview', question), () => readOverview(deps.database, question)),
      caller.kind === 'team' ? null : attentionOf(deps),
      scope.team_id === null ? undefined : burnRateOf(deps, scope.team_id),
    ]);
    return {
      from: from.toISOString(),
      to: until.toISOString(),
      bucket,
      buckets: starts.map((start) => start.toISOString()),
      ...arrange(figures, starts, price !== null),
      cost_by_model_group: figures.cost_by_model_group,
      newest_failures: figures.newest_failures,
      attention,
      burn_rate: burn_rate ?? null,
      complete_until: figures.calls_complete_until.toISOString(),
    };
  },
);
