import { FirstJob } from '../../../components/first-job/first-job.tsx';
import { NothingYet } from '../../../components/ui/empty.tsx';

/** Shows how to make a job, in place of jobs where no filter leaves them out. */
export const JobSample = () => (
  <NothingYet what="jobs in this time range">
    <p className="muted">A longer range may have some.</p>
    <FirstJob />
  </NothingYet>
);
