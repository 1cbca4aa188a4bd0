import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { isOpen, timelineQuery } from '../../../api/jobs.ts';
import type { Changes, Delivery } from '../../../api/types.ts';
import { useChanges, usePollInterval } from '../../../live/live.ts';
import { useThrottled } from '../../../live/use-throttled.ts';

const awaitedMs = 15_000;

/** All of a job, read again on an event that it, one of its calls or a delivery under way has changed. */
export function useTimeline(jobId: string) {
  const cache = useQueryClient();
  const known = cache.getQueryData(timelineQuery(jobId).queryKey);
  const awaited = new Set(known?.deliveries.filter(isPending).map(({ webhook_id }) => webhook_id));
  const pollInterval = usePollInterval(known === undefined || isOpen(known.job) || awaited.size > 0);
  // An event about an attempt may come before the delivery is known to be under way.
  const interval = pollInterval || (awaited.size > 0 && awaitedMs);
  const query = useQuery({ ...timelineQuery(jobId), refetchInterval: interval });
  const refresh = useThrottled(() => cache.invalidateQueries({ queryKey: timelineQuery(jobId).queryKey }));
  const mayBeRefunded = known?.verdict.charged && !known.verdict.inputs.refunded;
  const isAbout = ({ jobs = [], calls = [], teams = [], webhooks = [] }: Changes): boolean =>
    [...jobs, ...calls].some(({ job_id }) => job_id === jobId) ||
    webhooks.some(({ webhook_id }) => awaited.has(webhook_id)) ||
    // A refund is a change of the team's balance.
    (mayBeRefunded === true && teams.some(({ team_id }) => team_id === known?.job.team_id));
  const current = useRef(isAbout);
  current.current = isAbout;
  const onChanges = useCallback(
    (changes: Changes) => {
      if (current.current(changes)) refresh();
    },
    [refresh],
  );
  useChanges(onChanges, refresh);
  return { ...query, refresh };
}

const isPending = ({ status }: Delivery): boolean => status === 'pending';
