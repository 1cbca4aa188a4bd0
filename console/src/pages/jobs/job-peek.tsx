import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2 } from 'lucide-react';
import { timelineQuery } from '../../api/jobs.ts';
import type { RangeSearch } from '../../app/time-range.ts';
import { Count } from '../../components/count.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Peek } from '../../components/list/peek.tsx';
import { Money } from '../../components/money.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Status } from '../../components/status.tsx';
import { Duration, Time } from '../../components/time.tsx';
import type { JobListSearch } from './job-search.ts';
import styles from './jobs.module.css';

interface JobPeekProps {
  jobId: string;
  list: JobListSearch & RangeSearch;
  onClose: () => void;
}

/** A job beside the list: what it is, what was charged and why. */
export function JobPeek({ jobId, list, onClose }: JobPeekProps) {
  const { data, error, refetch } = useQuery(timelineQuery(jobId));
  return (
    <Peek
      label="Job"
      onClose={onClose}
      head={
        <>
          <Id id={jobId} />{' '}
          <Link to="/jobs/$jobId" params={{ jobId }} search={list} className={styles.openLink}>
            <Maximize2 size={13} aria-hidden /> Receipt
          </Link>
        </>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <p className={styles.verdict}>{data.verdict.sentence}</p>
          <Facts
            facts={[
              ['Status', <Status key="status" of={data.job.status} />],
              ['Team', data.job.team_id],
              ['Type', data.job.job_type],
              ['Calls', <Count key="calls" of={data.job.total_calls} />],
              ['Failed calls', <Count key="failed" of={data.job.failed_calls} />],
              ['Credits', data.verdict.credits],
              ['Cost', <Money key="cost" usd={data.job.total_cost_usd} />],
              ['Tokens', <Count key="tokens" of={data.job.total_tokens} />],
              ['Duration', <Duration key="duration" ms={data.job.duration_ms} />],
              ['Created', <Time key="created" at={data.job.created_at} />],
              ['Ended', <Time key="ended" at={data.job.completed_at} missing="still open" />],
              ['External id', data.job.external_task_id],
              ['User', data.job.user_id],
              ['Error', data.job.error_message],
            ]}
          />
        </>
      )}
    </Peek>
  );
}
