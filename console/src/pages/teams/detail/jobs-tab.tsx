import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Job, JobList, TeamWithKey } from '../../../api/types.ts';
import { jobColumns } from '../../../components/jobs/job-columns.tsx';
import { pickList } from '../../../components/jobs/job-search.ts';
import { None, Section } from '../../../components/ui/detail-page.tsx';
import { ChangedRows } from '../../../components/ui/list/list-page.tsx';
import { ofTeamIn } from '../../../components/ui/list/use-following.ts';
import { useList } from '../../../components/ui/list/use-list.ts';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { defaultRange, sinceDayOf } from '../../../url/time-range.ts';

const shown = 20;
const rowId = ({ job_id }: Pick<Job, 'job_id'>): string => job_id;

/** The newest jobs of the team. All of them are in the list of jobs. */
export function JobsTab({ team: { team_id: teamId, created_at } }: { team: TeamWithKey }) {
  const navigate = useNavigate();
  const query = () => ({ team_id: teamId, count: 'none' });
  const ofTeam = useList(
    { path: '/api/jobs', key: ['of', teamId], query, rowsOf: ({ jobs }: JobList) => jobs },
    { rowId, isAbout: ({ jobs = [], calls = [] }) => ofTeamIn([...jobs, ...calls], teamId) },
  );
  const rows = ofTeam.rows.slice(0, shown);
  const { range = defaultRange } = useSearch({ from: '/layout' });
  // The receipts go through all jobs of the team.
  const list = useMemo(() => pickList({ team: teamId, range, ...sinceDayOf(created_at) }), [teamId, range, created_at]);
  const columns = useMemo(() => jobColumns({ seesTeams: false, seesCost: true }, list), [list]);
  return (
    <Section
      title="Newest jobs"
      aside={
        <Link to="/jobs" search={{ team: teamId, ...sinceDayOf(created_at) }}>
          All jobs of this team
        </Link>
      }
    >
      <ChangedRows list={ofTeam} />
      <DataTable
        id="team-jobs"
        label="Newest jobs of the team"
        isFlat
        columns={columns}
        rows={rows}
        state={ofTeam.table.state}
        rowId={rowId}
        onOpen={({ job_id }) => void navigate({ to: '/jobs/$jobId', params: { jobId: job_id }, search: list })}
        empty={<None>The team has made no job yet.</None>}
      />
    </Section>
  );
}
