import { Link } from '@tanstack/react-router';
import type { Job } from '../../api/types.ts';
import { Id } from '../../components/ui/id.tsx';
import { type RangeSearch, rangeWith } from '../../url/time-range.ts';

interface JobsOfProps {
  job: Pick<Job, 'user_id' | 'external_task_id' | 'created_at'>;
  /** The range of the list that the job was opened from. */
  range: RangeSearch;
}

/** Links to the jobs of the same user. */
export const JobsOfUser = ({ job, range }: JobsOfProps) => (
  <Link to="/jobs" search={{ user: job.user_id!, ...rangeWith(range, job.created_at) }} title="Jobs of this user">
    {job.user_id}
  </Link>
);

/** Links to the jobs with the same external id, and copies the id. */
export const JobsOfExternal = ({ job, range }: JobsOfProps) => (
  <>
    <Link
      to="/jobs"
      search={{ external: job.external_task_id!, ...rangeWith(range, job.created_at) }}
      className="mono"
      title="Jobs with this external id"
    >
      {job.external_task_id}
    </Link>{' '}
    <Id id={job.external_task_id!} isIcon />
  </>
);
