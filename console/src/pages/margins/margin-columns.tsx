import { Link } from '@tanstack/react-router';
import type { Margins } from '../../api/types.ts';
import type { JobListSearch } from '../../components/jobs/job-search.ts';
import { ShortChange } from '../../components/ui/change.tsx';
import { Count } from '../../components/ui/count.tsx';
import { Missing, Money } from '../../components/ui/money.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import type { RangeSearch } from '../../url/time-range.ts';

type Row = Margins['rows'][number];

export const ended: NonNullable<JobListSearch['status']> = ['completed', 'failed', 'cancelled'];

const names = { job_type: 'Job type', team_id: 'Team', organization_id: 'Organization' };

const toFilter = (group_by: Margins['group_by'], key: string): JobListSearch =>
  group_by === 'team_id' ? { team: key } : group_by === 'organization_id' ? { organization: key } : { type: key };

const noPrice = 'no price of a credit: USD_PER_CREDIT, or that of the team';

/** A row leads to its jobs in the days that were summed. */
export function marginColumns({ group_by, previous }: Margins, jobs: JobListSearch & RangeSearch): Column<Row>[] {
  const toJobs = (key: string, more: JobListSearch = {}) => ({ ...jobs, ...toFilter(group_by, key), ...more });
  const before: Column<Row>[] = [
    {
      id: 'margin_before',
      header: 'Margin before',
      align: 'end',
      from: 1024,
      cell: (row) =>
        typeof row.previous?.margin_usd === 'number' ? (
          <Money usd={row.previous.margin_usd} />
        ) : (
          <Missing why="no job in the period before, or no price" />
        ),
    },
    {
      id: 'change',
      header: 'Change',
      align: 'end',
      from: 720,
      cell: ({ margin_usd, previous: was }) => <ShortChange value={margin_usd} previous={was?.margin_usd ?? null} />,
    },
  ];
  return [
    {
      id: 'group',
      header: names[group_by],
      cell: ({ key, label }) => (
        <Link to="/jobs" search={toJobs(key)}>
          {label}
        </Link>
      ),
    },
    { id: 'jobs', header: 'Jobs', align: 'end', from: 720, cell: (row) => <Count of={row.jobs} /> },
    {
      id: 'charged',
      header: 'Charged',
      align: 'end',
      from: 720,
      cell: ({ key, charged_jobs }) => (
        <Link to="/jobs" search={toJobs(key, { status: ended, charged: 'true' })}>
          <Count of={charged_jobs} />
        </Link>
      ),
    },
    {
      id: 'failed',
      header: 'Failed',
      align: 'end',
      from: 1024,
      cell: ({ key, failed_jobs }) => (
        <Link to="/jobs" search={toJobs(key, { status: ['failed'] })}>
          <Count of={failed_jobs} />
        </Link>
      ),
    },
    { id: 'credits', header: 'Credits', align: 'end', from: 720, cell: ({ credits }) => <Count of={credits} /> },
    {
      id: 'revenue',
      header: 'Revenue',
      align: 'end',
      from: 720,
      cell: ({ revenue_usd }) => (revenue_usd === null ? <Missing why={noPrice} /> : <Money usd={revenue_usd} />),
    },
    { id: 'cost', header: 'Cost', align: 'end', cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
    {
      id: 'margin',
      header: 'Margin',
      align: 'end',
      cell: ({ margin_usd }) => (margin_usd === null ? <Missing why={noPrice} /> : <Money usd={margin_usd} />),
    },
    ...(previous ? before : []),
    {
      id: 'percent',
      header: '% of revenue',
      align: 'end',
      from: 1024,
      cell: ({ margin_percent }) =>
        margin_percent === null ? <Missing why="no revenue" /> : `${margin_percent.toFixed(1)} %`,
    },
    {
      id: 'failed_cost',
      header: 'Cost of failed',
      align: 'end',
      from: 1024,
      cell: ({ failed_cost_usd }) => <Money usd={failed_cost_usd} />,
    },
    {
      id: 'estimated_cost',
      header: 'Aborted, estimated',
      align: 'end',
      from: 1280,
      cell: ({ estimated_cost_usd }) => <Money usd={estimated_cost_usd} />,
    },
  ];
}
