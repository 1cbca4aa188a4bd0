import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JobList } from '../../../api/types.ts';
import { jobColumns } from '../../../components/jobs/job-columns.tsx';
import { pickList } from '../../../components/jobs/job-search.ts';
import { None, Section } from '../../../components/ui/detail-page.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { rangeWith } from '../../../url/time-range.ts';

const shown = 20;
const longest = '90d';

/** The newest jobs of the team. All of them are in the list of jobs. */
export function JobsTab({ teamId }: { teamId: string }) {
  const navigate = useNavigate();
  const query = () => ({ team_id: teamId, count: 'none' });
  const { table } = useList({ path: '/api/jobs', key: ['of', teamId], query, rowsOf: ({ jobs }: JobList) => jobs });
  const rows = table.rows.slice(0, shown);
  const oldest = rows.at(-1)?.created_at;
  // The receipts go through the jobs of the team, in a range that has all rows of this table.
  const list = useMemo(
    () => pickList({ team: teamId, ...(oldest ? rangeWith({ range: longest }, oldest) : {}) }),
    [teamId, oldest],
  );
  const columns = useMemo(() => jobColumns(false, list), [list]);
  return (
    <Section
      title="Newest jobs"
      aside={
        <Link to="/jobs" search={{ team: teamId }}>
          All jobs of this team
        </Link>
      }
    >
      <DataTable
        id="team-jobs"
        label="Newest jobs of the team"
        isFlat
        columns={columns}
        rows={rows}
        state={table.state}
        rowId={({ job_id }) => job_id}
        onOpen={({ job_id }) => void navigate({ to: '/jobs/$jobId', params: { jobId: job_id }, search: list })}
        empty={<None>The team has made no job yet.</None>}
      />
    </Section>
  );
}
