import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2 } from 'lucide-react';
import { useEffect } from 'react';
import { timelineQuery } from '../../../api/jobs.ts';
import { useSeesCost } from '../../../api/session.ts';
import type { Job } from '../../../api/types.ts';
import type { JobListSearch } from '../../../components/jobs/job-search.ts';
import { Facts } from '../../../components/ui/facts.tsx';
import { Id } from '../../../components/ui/id.tsx';
import { ProblemNote } from '../../../components/ui/problem-note.tsx';
import { Peek } from '../../../components/ui/table/peek.tsx';
import { useDebounced } from '../../../components/ui/use-debounced.ts';
import type { RangeSearch } from '../../../url/time-range.ts';
import { jobFacts } from './job-facts.tsx';
import styles from './jobs.module.css';

interface JobPeekProps {
  jobId: string;
  /** The job as the list has read it; undefined where it is not among the rows that are loaded. */
  row: Job | undefined;
  list: JobListSearch & RangeSearch;
  onClose: () => void;
}

/** A job beside the list. What it is comes from its row; what was charged and why is requested when the selection has not moved for 250 ms. */
export function JobPeek({ jobId, row, list, onClose }: JobPeekProps) {
  const hasSettled = useDebounced(jobId) === jobId;
  const { data, error, refetch } = useQuery({ ...timelineQuery(jobId), enabled: hasSettled });
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the row has another state
  useEffect(() => {
    if (row && data && row.status !== data.job.status) void refetch();
  }, [row?.status]);
  const seesCost = useSeesCost();
  const job = row ?? data?.job;
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
      {error ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : (
        <p className={styles.verdict}>{data?.verdict.sentence ?? <span className="muted">Reading why …</span>}</p>
      )}
      {job && <Facts facts={jobFacts(job, list, seesCost)} />}
    </Peek>
  );
}
