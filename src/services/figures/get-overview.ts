import type { z } from 'zod';
import type { OverviewQuery } from '../../contracts/overview.ts';
import { type OverviewQuestion, readOverview } from '../../db/figures/read-overview.ts';
import { bucketStarts, dayMs } from '../../domain/time/buckets.ts';
import { seesCost } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { getAttention } from '../operation/get-attention.ts';
import { dayRange } from './figure-range.ts';
import { figureKey, figureScope } from './figure-scope.ts';
import { estimateBurnRate } from './get-burn-rate.ts';

/** Longer ranges have a bucket for each month. */
const maxDaysByDay = 92;

/**
 * The figures of the overview, with the period before the range as the first bucket. A team sees its own, without a price of credits and
 * what needs attention. `spec 19.44`
 */
export async function getOverview(context: ServiceContext, query: z.output<typeof OverviewQuery>) {
  const { deps, caller } = context;
  const scope = figureScope(caller, query);
  const { from, until } = dayRange(query);
  const bucket = until.getTime() - from.getTime() > maxDaysByDay * dayMs ? ('month' as const) : ('day' as const);
  const starts = bucketStarts(bucket, { from, until }, { most: 1_000 });
  const before = new Date(2 * from.getTime() - until.getTime());
  const isForAdmin = caller.kind !== 'team';
  const usd_per_credit = isForAdmin ? (deps.config.USD_PER_CREDIT ?? null) : null;
  const question: OverviewQuestion = { ...scope, from: before, until, starts: [before, ...starts], usd_per_credit };
  const [figures, attention, burnRate] = await Promise.all([
    deps.figures(figureKey('overview', question), () => readOverview(deps.database, question)),
    isForAdmin ? getAttention(context) : null,
    scope.team_id === null ? undefined : estimateBurnRate(deps, scope.team_id),
  ]);
  const showsCost = seesCost(caller, deps.config);
  return { from, until, bucket, starts, usd_per_credit, isForAdmin, showsCost, figures, attention, burnRate };
}

export type OverviewResult = Awaited<ReturnType<typeof getOverview>>;
