import type { z } from 'zod';
import type { Overview } from '../../../contracts/overview.ts';
import { percentile } from '../../../domain/latency-histogram.ts';
import type { OverviewResult } from '../../../services/figures/get-overview.ts';

const noJobs = {
  jobs: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  open: 0,
  credits_charged: 0,
  cost_usd: 0,
  estimated_cost_usd: 0,
};

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
function arrange({ figures, starts, usd_per_credit, isForAdmin, showsCost }: OverviewResult) {
  const { jobs, latencies, calls_complete_until } = figures;
  const now = new Date();
  const none: Jobs = { ...noJobs, margin_usd: usd_per_credit === null ? null : 0 };
  const jobsIn = (bucket: number | null): Jobs => jobs.find((one) => one.bucket === bucket) ?? none;
  const p95In = (bucket: number | null): number | null => {
    const counts = latencies.find((one) => one.bucket === bucket)?.latency ?? [];
    return percentile(
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
    cost_usd: card((bucket) => (showsCost ? jobsIn(bucket).cost_usd : null)),
    // A team may know its price, and does not see what its jobs bring in.
    margin_usd: card((bucket) => (isForAdmin ? jobsIn(bucket).margin_usd : null)),
    ...(isForAdmin && { estimated_cost_usd: card((bucket) => jobsIn(bucket).estimated_cost_usd) }),
    p95_latency_ms: card(p95In, calls_complete_until),
    outcomes: starts.map((start, index) => {
      const { completed, failed, cancelled, open } = jobsIn(index + 2);
      return { at: start.toISOString(), completed, failed, cancelled, open };
    }),
  };
}

export const serializeOverview = (overview: OverviewResult): z.input<typeof Overview> => ({
  from: overview.from.toISOString(),
  to: overview.until.toISOString(),
  bucket: overview.bucket,
  buckets: overview.starts.map((start) => start.toISOString()),
  ...arrange(overview),
  cost_by_model_group: overview.showsCost ? overview.figures.cost_by_model_group : [],
  newest_failures: overview.figures.newest_failures,
  attention: overview.attention,
  burn_rate: overview.burnRate ?? null,
  complete_until: overview.figures.calls_complete_until.toISOString(),
});
