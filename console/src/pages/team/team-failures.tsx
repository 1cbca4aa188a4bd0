import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { shortId } from '../../components/id.tsx';
import { Missing } from '../../components/money.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Age } from '../../components/time.tsx';
import styles from './team.module.css';

type Failure = Overview['newest_failures'][number];

const columns: Column<Failure>[] = [
  {
    id: 'job',
    header: 'Job',
    width: 110,
    cell: ({ job_id }) => (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="mono">
        {shortId(job_id)}
      </Link>
    ),
  },
  { id: 'type', header: 'Type', width: 180, cell: ({ job_type }) => job_type },
  { id: 'error', header: 'Error', cell: ({ error_message }) => error_message ?? <Missing why="no reason was given" /> },
  { id: 'age', header: 'Ended', width: 90, align: 'end', cell: ({ completed_at }) => <Age of={completed_at} /> },
];

/** The jobs that failed last, whatever the range. */
export const TeamFailures = ({ failures }: { failures: readonly Failure[] }) => (
  <section>
    <h2>Newest failures</h2>
    <DataTable
      id="team-failures"
      label="Newest failures"
      isFlat
      columns={columns}
      rows={failures}
      rowId={({ job_id }) => job_id}
      empty={<p className={styles.none}>No job has failed.</p>}
    />
  </section>
);
