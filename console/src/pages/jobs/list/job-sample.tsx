import { lazy, Suspense } from 'react';
import { NothingYet } from '../../../components/ui/empty.tsx';

const FirstJob = lazy(() =>
  import('../../../components/first-job/first-job.tsx').then(({ FirstJob }) => ({ default: FirstJob })),
);

/** Shows how to make a job, in place of jobs where no filter leaves them out. */
export const JobSample = () => (
  <NothingYet what="jobs in this time range">
    <p className="muted">A longer range may have some.</p>
    <Suspense fallback={null}>
      <FirstJob />
    </Suspense>
  </NothingYet>
);
