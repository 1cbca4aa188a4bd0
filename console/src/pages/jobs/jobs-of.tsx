import { Link } from '@tanstack/react-router';
import type { Job } from '../../api/types.ts';
import { type RangeSearch, rangeWith } from '../../app/time-range.ts';
import { Id } from '../../components/id.tsx';

interface JobsOfProps {
  job: Pick<Job, 'user_id' | 'external_task_id' | 'created_at'>;
  /** That of the list that the job was opened from. */
  range: RangeSearch;
}

/** To the jobs of the same user. */
export const JobsOfUser = ({ job, range }: JobsOfProps) => (
  <Link to="/jobs" search={{ user: job.user_id!, ...rangeWith(range, job.created_at) }} title="Jobs of this user">
    {job.user_id}
  </Link>
);

/** To the jobs with the same external id, and the id to copy. */
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
