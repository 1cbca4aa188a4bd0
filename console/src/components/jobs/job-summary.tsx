import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isOpen, timelineQuery } from '../../api/jobs.ts';
import { Facts } from '../ui/facts.tsx';
import { Money } from '../ui/money.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Status } from '../ui/status.tsx';
import { Duration } from '../ui/time.tsx';

/** The stream of a call that fails may end before its job has. */
const endsSoonMs = 1_000;

/** A job of one call in short, with a link to its receipt. */
export function JobSummary({ jobId }: { jobId: string }) {
  const { data, error, refetch } = useQuery({
    ...timelineQuery(jobId),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.job) ? endsSoonMs : false),
  });
  const [call] = data?.calls ?? [];
  if (error && !data) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className="muted">Reading its receipt …</p>;
  return (
    <>
      <Facts
        facts={[
          ['Outcome', <Status key="outcome" of={data.job.status} />],
          ['Error', call?.error],
          ['Latency', call && <Duration key="latency" ms={call.latency_ms} />],
          ['Provider cost', <Money key="cost" usd={data.job.total_cost_usd} />],
          ['Tokens', data.job.total_tokens],
          ['Charge', data.verdict.sentence],
        ]}
      />
      <p>
        <Link to="/jobs/$jobId" params={{ jobId }}>
          Open the receipt
        </Link>
      </p>
    </>
  );
}
