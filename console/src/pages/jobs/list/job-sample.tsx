import { wholeUrl } from '../../../api/base.ts';
import { useSession } from '../../../api/session.ts';
import { CopyBlock } from '../../../components/ui/copy-block.tsx';
import { NothingYet } from '../../../components/ui/empty.tsx';
import { curlLine } from '../../../format/curl.ts';

/** Shows how to make a job, in place of jobs where no filter leaves them out. */
export function JobSample() {
  const { team } = useSession();
  return (
    <NothingYet what="jobs in this time range">
      <p className="muted">A longer range may have some. A job with one call is made like this:</p>
      <CopyBlock text={sampleCall(team?.team_id ?? 'YOUR_TEAM')} label="Copy the curl line" />
    </NothingYet>
  );
}

const sampleCall = (teamId: string): string =>
  curlLine({
    url: wholeUrl('/api/jobs/create-and-call'),
    keyName: 'VIRTUAL_KEY',
    body: {
      team_id: teamId,
      job_type: 'test',
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Hello' }],
    },
  });
