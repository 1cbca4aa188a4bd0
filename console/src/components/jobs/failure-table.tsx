import { Link, useNavigate } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { TeamLink } from '../teams/team-link.tsx';
import { None } from '../ui/detail-page.tsx';
import type { FactList } from '../ui/facts.tsx';
import { Id, shortId } from '../ui/id.tsx';
import { Missing } from '../ui/money.tsx';
import type { Column } from '../ui/table/column.ts';
import { PeekTable } from '../ui/table/peek-table.tsx';
import { Age, Time } from '../ui/time.tsx';

type Failure = Overview['newest_failures'][number];

const errorOf = ({ error_message }: Failure) => error_message ?? <Missing why="no reason was given" />;

const columnsFor = (seesTeams: boolean): Column<Failure>[] => [
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
  seesTeams
    ? {
        id: 'team',
        header: 'Team',
        from: 720,
        cell: ({ team_id }) => (
          <Link to="/teams/$teamId" params={{ teamId: team_id }}>
            {team_id}
          </Link>
        ),
      }
    : { id: 'type', header: 'Type', width: 180, cell: ({ job_type }) => job_type },
  { id: 'error', header: 'Error', cell: errorOf },
  { id: 'age', header: 'Ended', width: 72, align: 'end', cell: ({ completed_at }) => <Age of={completed_at} /> },
];

const columns = { admin: columnsFor(true), team: columnsFor(false) };

const toFacts = (failure: Failure): FactList => [
  ['Job', <Id key="job" id={failure.job_id} whole />],
  ['Team', <TeamLink key="team" id={failure.team_id} />],
  ['Type', failure.job_type],
  ['Failed', <Time key="at" at={failure.completed_at} />],
  ['Error', errorOf(failure)],
];

/** The jobs that failed last, whatever the range. */
export function FailureTable({ failures, of }: { failures: readonly Failure[]; of: 'admin' | 'team' }) {
  const navigate = useNavigate();
  return (
    <PeekTable
      id="newest-failures"
      label="Latest failures"
      noun="Failed job"
      isFlat
      isMain
      columns={columns[of]}
      rows={failures}
      rowId={({ job_id }) => job_id}
      onOpen={({ job_id }) => void navigate({ to: '/jobs/$jobId', params: { jobId: job_id } })}
      factsOf={toFacts}
      linksOf={({ job_id }) => (
        <Link to="/jobs/$jobId" params={{ jobId: job_id }}>
          Receipt of the job
        </Link>
      )}
      empty={<None>No job has failed.</None>}
    />
  );
}
