import type { UsageSeries } from '../../api/types.ts';
import { None } from '../../components/ui/detail-page.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { formatMoment, formatTick } from '../../format/time.ts';
import { Amount } from './amount.tsx';
import { partialWord } from './partial-word.ts';

type Point = UsageSeries['points'][number];

/** Every bucket of the chart with its groups, newest first. */
export const PointTable = ({ series }: { series: UsageSeries }) => (
  <DataTable
    id="usage-points"
    label="Figures of each bucket"
    isFlat
    columns={newColumns(series)}
    rows={series.points.toReversed()}
    rowId={({ at }) => at}
    empty={<None>The range has no buckets.</None>}
  />
);

function newColumns(series: UsageSeries): Column<Point>[] {
  const { metric, group_by, groups, other, bucket, tz, points } = series;
  const amount = (id: string, header: string, pick: (point: Point) => number | null): Column<Point> => ({
    id,
    header,
    align: 'end',
    cell: (point) => <Amount metric={metric} value={pick(point)} />,
  });
  return [
    {
      id: 'at',
      header: `Begins, ${tz}`,
      cell: (point) => (
        <time dateTime={point.at}>
          {bucket === 'hour' ? formatMoment(point.at, tz) : formatTick(new Date(point.at), tz, bucket)}{' '}
          <span className="muted">{partialWord(series, points.indexOf(point))}</span>
        </time>
      ),
    },
    amount('total', 'All', ({ total }) => total),
    ...(group_by === 'none' ? [] : groups).map(({ key, label }, index) =>
      amount(`group ${key ?? ''}`, key === null ? 'none' : label, ({ values }) => values[index] ?? null),
    ),
    ...(other ? [amount('other', 'Other', (point) => point.other)] : []),
  ];
}
