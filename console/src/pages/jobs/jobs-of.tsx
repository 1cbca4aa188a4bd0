import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { teamKeysQuery } from '../../api/keys.ts';
import { useMay } from '../../api/session.ts';
import type { Job } from '../../api/types.ts';
import { Id } from '../../components/ui/id.tsx';
import { type RangeSearch, rangeWith } from '../../url/time-range.ts';

interface JobsOfProps {
  job: Pick<Job, 'team_id' | 'user_id' | 'external_task_id' | 'key_id' | 'created_at'>;
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

/** Links to the jobs of the same further key. An admin sees its name, for as long as the team has it; a team sees its id. */
export function JobsOfKey({ job: { team_id, key_id, created_at }, range }: JobsOfProps) {
  const keys = useQuery({ ...teamKeysQuery(team_id), enabled: useMay('teams:read') });
  const key = keys.data?.keys.find((one) => one.key_id === key_id);
  return (
    <>
      <Link
        to="/jobs"
        search={{ key: key_id, ...rangeWith(range, created_at) }}
        className={key ? undefined : 'mono'}
        title="Jobs of this key"
      >
        {key?.name ?? key_id}
      </Link>{' '}
      {key ? <span className="mono muted">{key.key_hint}</span> : <Id id={key_id!} isIcon />}
    </>
  );
}
