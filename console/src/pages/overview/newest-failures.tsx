import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { None } from '../../components/detail-page.tsx';
import { shortId } from '../../components/id.tsx';
import { Missing } from '../../components/money.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Age } from '../../components/time.tsx';

type Failure = Overview['newest_failures'][number];

const columns: Column<Failure>[] = [
  {
    id: 'job',
    header: 'Job',
    width: 96,
    cell: ({ job_id }) => (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="mono">
        {shortId(job_id)}
      </Link>
    ),
  },
  {
    id: 'team',
    header: 'Team',
    from: 720,
    cell: ({ team_id }) => (
      <Link to="/teams/$teamId" params={{ teamId: team_id }}>
        {team_id}
      </Link>
    ),
  },
  { id: 'error', header: 'Error', cell: ({ error_message }) => error_message ?? <Missing why="no reason was given" /> },
  { id: 'age', header: 'Ended', width: 72, align: 'end', cell: ({ completed_at }) => <Age of={completed_at} /> },
];

export const NewestFailures = ({ failures }: { failures: readonly Failure[] }) => (
  <DataTable
    id="newest-failures"
    label="Newest failures"
    isFlat
    columns={columns}
    rows={failures}
    rowId={({ job_id }) => job_id}
    empty={<None>No job has failed.</None>}
  />
);
