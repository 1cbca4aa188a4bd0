import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getJobs, isOpen } from '../../api/jobs.ts';
import { JobSummary } from '../../components/jobs/job-summary.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { firstJobType } from '../../format/first-job-curl.ts';
import { useFollow } from '../../live/use-figures.ts';

/** The newest job that the line has made. */
export const firstJobQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['first-call', teamId],
    queryFn: async ({ signal }) => {
      const { jobs } = await getJobs({ team_id: teamId, job_type: firstJobType }, '', signal, 1);
      return jobs[0] ?? null;
    },
    enabled: teamId !== '',
    placeholderData: keepPreviousData,
  });

/** The call as soon as it has come: the stream of events says so. */
export function ReceiptStep({ teamId }: { teamId: string }) {
  const { data: job, error, refetch } = useQuery(firstJobQuery(teamId));
  useFollow('first-call');
  if (error && !job) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  return (
    <div role="status">
      {!job && <p className="muted">Paste the line into a terminal. Its receipt appears here.</p>}
      {job && isOpen(job) && <p className="muted">The call has come, and its model is at work …</p>}
      {job && !isOpen(job) && <JobSummary key={job.job_id} jobId={job.job_id} />}
    </div>
  );
}
