import { Link } from '@tanstack/react-router';
import type { Statement } from '../../api/types.ts';
import { Count } from '../../components/ui/count.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { rangeOfMonth } from '../../url/month.ts';

type Row = Statement['job_types'][number];

const counted = (id: keyof Omit<Row, 'job_type'>, header: string, from?: 720): Column<Row> => ({
  id,
  header,
  width: 96,
  align: 'end',
  ...(from && { from }),
  cell: (row) => <Count of={row[id]} />,
});

/** The jobs of a month by type; a type leads to its jobs. `team`: for an admin. */
export const statementColumns = (month: string, team: string | undefined): Column<Row>[] => [
  {
    id: 'type',
    header: 'Type',
    isAlways: true,
    cell: ({ job_type }) => (
      <Link to="/jobs" search={{ ...rangeOfMonth(month), type: job_type, team }}>
        {job_type}
      </Link>
    ),
  },
  counted('jobs', 'Jobs'),
  counted('completed', 'Completed', 720),
  counted('failed', 'Failed', 720),
  counted('cancelled', 'Cancelled', 720),
  counted('open', 'Open', 720),
  counted('charged_jobs', 'Charged', 720),
  counted('credits_charged', 'Credits'),
];
