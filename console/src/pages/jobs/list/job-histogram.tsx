import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { jobHistogramQuery } from '../../../api/jobs.ts';
import { type JobListSearch, toFilters, toHistogramKey } from '../../../components/jobs/job-search.ts';
import { OutcomeBars } from '../../../components/jobs/outcome-bars.tsx';
import { useFollow } from '../../../live/use-figures.ts';
import { bucketRange } from '../../../url/answered-range.ts';
import type { RangeSearch } from '../../../url/time-range.ts';
import styles from './jobs.module.css';

/** The jobs of the list over time, by outcome, in any order of the list. */
export const useJobHistogram = (search: JobListSearch & RangeSearch) =>
  useQuery(jobHistogramQuery(toHistogramKey(search), () => toFilters(search))).data;

/** The bars of the list. Dragging over them sets the time range. */
export function ListHistogram({ search }: { search: JobListSearch & RangeSearch }) {
  const histogram = useJobHistogram(search);
  useFollow('histogram');
  const navigate = useNavigate({ from: '/jobs' });
  return (
    <div className={styles.chartPlace}>
      {histogram && (
        <OutcomeBars
          label="Jobs by outcome"
          bucket={histogram.bucket}
          points={histogram.points}
          completeUntil={histogram.readAt}
          onSelect={(first, last) =>
            void navigate({ search: (before) => ({ ...before, ...bucketRange(first, last, histogram.bucket) }) })
          }
        />
      )}
    </div>
  );
}
