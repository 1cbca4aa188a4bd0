import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { isOpen, timelineQuery } from '../../api/jobs.ts';
import type { Changes } from '../../api/types.ts';
import { useChanges, usePollInterval } from '../../live/live.ts';
import { useThrottled } from '../../live/use-throttled.ts';

/** All of a job, read again when an event says that it or one of its calls has changed. */
export function useTimeline(jobId: string) {
  const cache = useQueryClient();
  const known = cache.getQueryData(timelineQuery(jobId).queryKey);
  const pollInterval = usePollInterval(known === undefined || isOpen(known.job));
  const query = useQuery({ ...timelineQuery(jobId), refetchInterval: pollInterval });
  const refresh = useThrottled(() => cache.invalidateQueries({ queryKey: timelineQuery(jobId).queryKey }));
  const onChanges = useCallback(
    ({ jobs = [], calls = [] }: Changes) => {
      if ([...jobs, ...calls].some(({ job_id }) => job_id === jobId)) refresh();
    },
    [jobId, refresh],
  );
  useChanges(onChanges, refresh);
  return { ...query, refresh };
}
