import type { UsageSeries } from '../../api/types.ts';
import { ShortChange } from '../../components/ui/change.tsx';
import { Sparkline } from '../../components/ui/charts/sparkline.tsx';
import { None } from '../../components/ui/detail-page.tsx';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { formatCount } from '../../format/number.ts';
import type { Ranged } from '../../url/answered-range.ts';
import { Amount } from './amount.tsx';
import { GroupLink } from './group-link.tsx';
import styles from './usage.module.css';
import type { UsageFilter } from './usage-filters.ts';

interface GroupTableProps {
  series: UsageSeries & Ranged;
  filters: FilterSearch<UsageFilter>;
  /** The key of the group that is marked in the chart. */
  marked: string | undefined;
  onMark: (key: string | undefined) => void;
}

interface Row {
  id: string;
  /** The key of the group; undefined for the rest and for all. */
  key?: string | null;
  label: string;
  total: number;
  previous: number | undefined;
  values: (number | null)[];
}

/** The groups with their sums, the rest, and all of them. */
export function GroupTable({ series, filters, marked, onMark }: GroupTableProps) {
  const { metric, group_by } = series;
  const mayMark = group_by !== 'none' && group_by !== 'outcome';
  const columns: Column<Row>[] = [
    {
      id: 'group',
      header: 'Group',
      cell: ({ id, key, label }) =>
        id === 'other' ? (
          <span className="muted">{label}</span>
        ) : (
          <GroupLink series={series} filters={filters} groupKey={key}>
            {label}
          </GroupLink>
        ),
    },
    { id: 'course', header: 'Trend', width: 160, from: 720, cell: ({ values }) => <Sparkline values={values} /> },
  ];
  const before: Column<Row>[] = [
    {
      id: 'previous',
      header: 'Before',
      width: 110,
      align: 'end',
      from: 720,
      cell: ({ previous }) => <Amount metric={metric} value={previous} />,
    },
    {
      id: 'change',
      header: 'Change',
      width: 90,
      align: 'end',
      from: 720,
      cell: ({ total, previous = null }) => <ShortChange value={total} previous={previous} />,
    },
  ];
  const sum: Column<Row> = {
    id: 'total',
    header: 'Total',
    width: 110,
    align: 'end',
    cell: ({ total }) => <Amount metric={metric} value={total} />,
  };
  const mark: Column<Row> = {
    id: 'mark',
    header: 'Highlight',
    width: 96,
    cell: ({ key, label }) =>
      typeof key === 'string' && (
        <button
          type="button"
          className={styles.mark}
          aria-pressed={key === marked}
          onClick={() => onMark(key === marked ? undefined : key)}
        >
          Highlight <span className="visually-hidden">{label} in the chart</span>
        </button>
      ),
  };
  return (
    <DataTable
      id="usage-groups"
      label="Groups"
      isFlat
      columns={[...(mayMark ? [mark] : []), ...columns, ...(series.previous ? before : []), sum]}
      rows={toRows(series)}
      rowId={({ id }) => id}
      empty={<None>Nothing in this range.</None>}
    />
  );
}

function toRows({ group_by, groups, other, total, previous, points }: UsageSeries): Row[] {
  const shown = groups.map(({ key, label, total: sum, previous: before }, index) => ({
    previous: before,
    id: `group ${key ?? ''}`,
    key,
    label: key === null ? 'none' : label,
    total: sum,
    values: points.map(({ values }) => values[index] ?? null),
  }));
  const rest = other && {
    id: 'other',
    label: `Other: ${formatCount(other.count, 'group')}`,
    total: other.total,
    previous: other.previous,
    values: points.map((point) => point.other),
  };
  const all = { id: 'all', label: 'All', total, previous: previous?.total, values: points.map((point) => point.total) };
  return [...(group_by === 'none' ? [] : shown), ...(rest ? [rest] : []), all];
}
