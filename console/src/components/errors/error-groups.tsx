import { Link } from '@tanstack/react-router';
import type { ErrorGroup, Errors } from '../../api/types.ts';
import { formatNumber } from '../../format/number.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { Count } from '../ui/count.tsx';
import { None } from '../ui/detail-page.tsx';
import { Missing } from '../ui/money.tsx';
import type { Column } from '../ui/table/column.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Age } from '../ui/time.tsx';
import { causeOf, kindLabels } from './error-filters.ts';

interface ErrorGroupsProps {
  errors: Errors & Ranged;
  /** The filters of the page that hold for the lists of calls and jobs too. */
  filters: { team?: string | undefined; organization?: string | undefined };
}

/** Errors that are alike, each with the calls and the jobs that it hit. */
export const ErrorGroups = ({ errors, filters }: ErrorGroupsProps) => (
  <DataTable
    id="error-groups"
    label="Errors by kind and model"
    isFlat
    columns={newColumns(errors, filters)}
    rows={errors.groups}
    rowId={({ kind, model_group, model, error_code }) => JSON.stringify([kind, model_group, model, error_code])}
    empty={<None>Nothing failed in this range.</None>}
  />
);

/** How many groups are shown of all, and what they hit together: a call may be in several. */
export const errorTotals = ({ total, groups, groups_total }: Errors): string =>
  `${formatNumber(total.calls)} calls of ${formatNumber(total.jobs)} jobs, ${formatNumber(total.failed_calls)} of them failed` +
  (groups_total > groups.length ? `; top ${formatNumber(groups.length)} of ${formatNumber(groups_total)}` : '');

function newColumns(errors: Errors & Ranged, filters: ErrorGroupsProps['filters']): Column<ErrorGroup>[] {
  const days = linkedRange(errors);
  const isForAdmin = errors.groups.some(({ model }) => model !== undefined);
  const list = (group: ErrorGroup) => ({ ...days, ...filters, ...causeOf(group) });
  const columns: (Column<ErrorGroup> | false)[] = [
    { id: 'kind', header: 'Error', width: 130, cell: ({ kind }) => kindLabels[kind] },
    isForAdmin && { id: 'model', header: 'Model', cell: ({ model }) => <span className="mono">{model}</span> },
    {
      id: 'group',
      header: 'Model group',
      from: isForAdmin ? 720 : undefined,
      cell: ({ model_group }) =>
        model_group === null ? <span className="muted">aliases</span> : <span className="mono">{model_group}</span>,
    },
    isForAdmin && {
      id: 'code',
      header: 'Status, code',
      from: 1024,
      cell: ({ status_code, error_code }) =>
        [status_code, error_code].filter((one) => one !== null).join(' ') || <Missing why="the provider sent none" />,
    },
    {
      id: 'calls',
      header: 'Calls',
      width: 70,
      align: 'end',
      cell: (group) => (
        <Link to="/errors" search={list(group)}>
          <Count of={group.calls} />
        </Link>
      ),
    },
    {
      id: 'failed',
      header: 'Failed',
      width: 70,
      align: 'end',
      from: 1024,
      cell: ({ failed_calls }) => <Count of={failed_calls} />,
    },
    {
      id: 'jobs',
      header: 'Jobs',
      width: 70,
      align: 'end',
      cell: (group) => (
        <Link to="/jobs" search={list(group)}>
          <Count of={group.jobs} />
        </Link>
      ),
    },
    { id: 'trend', header: 'Trend', width: 120, from: 1280, cell: ({ trend }) => <Sparkline values={trend} /> },
    {
      id: 'first',
      header: 'First',
      width: 70,
      align: 'end',
      from: 1024,
      cell: ({ first_at }) => <Age of={first_at} />,
    },
    { id: 'last', header: 'Last', width: 70, align: 'end', from: 720, cell: ({ last_at }) => <Age of={last_at} /> },
  ];
  return columns.filter((column) => column !== false);
}
