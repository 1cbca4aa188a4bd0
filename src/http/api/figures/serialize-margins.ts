import type { z } from 'zod';
import type { Margins, MarginsQuery } from '../../../contracts/margins.ts';
import type { MarginSums } from '../../../db/figures/read-margins.ts';
import { type getMargins, type MarginsOfPeriod, noMargin } from '../../../services/figures/get-margins.ts';

/** The sums of each bucket, in their order, also of those without a job. */
function toCourse({ starts, figures }: MarginsOfPeriod): MarginSums[] {
  const found = new Map(figures.points.map(({ bucket, ...sums }) => [bucket, sums]));
  return starts.map((_, index) => found.get(index + 1) ?? noMargin(figures.total));
}

export function serializeMargins(
  { group_by, bucket }: z.output<typeof MarginsQuery>,
  { usd_per_credit: price, present, previous }: Awaited<ReturnType<typeof getMargins>>,
): z.input<typeof Margins> {
  const { range, starts, figures } = present;
  const rowsBefore = new Map(previous?.figures.rows.map(({ key, label: _, ...sums }) => [key, sums]));
  const courseBefore = previous && toCourse(previous);
  return {
    group_by,
    from: range.from.toISOString(),
    to: range.until.toISOString(),
    clock: 'job_created',
    complete_until: figures.now.toISOString(),
    usd_per_credit: price === null ? null : Number(price),
    total: figures.total,
    ...(previous && {
      previous: {
        from: previous.range.from.toISOString(),
        to: previous.range.until.toISOString(),
        total: previous.figures.total,
      },
    }),
    ...(bucket !== 'none' && {
      points: toCourse(present).map((sums, index) => ({
        at: starts[index]!.toISOString(),
        ...sums,
        ...(courseBefore && { previous: courseBefore[index] ?? null }),
      })),
    }),
    rows: figures.rows.map((row) => ({ ...row, ...(previous && { previous: rowsBefore.get(row.key) ?? null }) })),
    rows_total: figures.rows_total,
  };
}
