import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { getJobs, isOpen, type JobFilters, jobsQuery } from '../../api/jobs.ts';
import type { Changes } from '../../api/types.ts';
import { useChanges } from '../../live/live.ts';
import { useThrottled } from '../../live/use-throttled.ts';
import { mergePage, newerThan, type Pages, patchStatuses } from './merge-jobs.ts';

/** States are shown at once. Their figures, while jobs change without end, after this at the latest. */
const longestPauseMs = 10_000;

/**
 * The list as it was read, in which only unfinished rows change: an event sets their state at once, and their page is read again for
 * their figures. Newer jobs are counted and not inserted, so that no row moves by itself.
 */
export function useJobList(key: readonly unknown[], filters: () => JobFilters) {
  const cache = useQueryClient();
  const options = jobsQuery(key, filters);
  const query = useInfiniteQuery(options);
  const [newer, setNewer] = useState(0);
  const pages = query.data?.pages;
  const jobs = useMemo(() => pages?.flatMap((page) => page.jobs) ?? [], [pages]);
  /** The rows that are on the screen: the first and the last. */
  const inView = useRef<[first: number, last: number]>([0, 0]);

  const refresh = useThrottled(async () => {
    const data = cache.getQueryData(options.queryKey);
    if (!data) return;
    for (const index of pagesToRead(data, inView.current)) {
      const fresh = await getJobs(filters(), data.pageParams[index] as string).catch(() => undefined);
      if (!fresh) return;
      if (index === 0) setNewer(newerThan(data.pages[0]!.jobs, fresh.jobs));
      cache.setQueryData(options.queryKey, (now: Pages | undefined) => now && mergePage(now, index, fresh.jobs));
    }
  }, longestPauseMs);

  const onChanges = useCallback(
    ({ jobs: changed = [], calls = [] }: Changes) => {
      if (changed.length + calls.length === 0) return;
      cache.setQueryData(options.queryKey, (now: Pages | undefined) => now && patchStatuses(now, changed));
      refresh();
    },
    [cache, options.queryKey, refresh],
  );
  useChanges(onChanges, refresh);

  const showNewer = () => {
    setNewer(0);
    void cache.resetQueries({ queryKey: options.queryKey });
    void cache.invalidateQueries({ queryKey: ['jobs', 'histogram'] });
  };
  return { query, jobs, newer, showNewer, refresh, inView };
}

/** The first page, for newer jobs, and each with an unfinished row on the screen. */
function pagesToRead({ pages }: Pages, [first, last]: readonly [number, number]): number[] {
  let end = 0;
  return pages.flatMap(({ jobs }, index) => {
    const start = end;
    end += jobs.length;
    const shown = jobs.slice(Math.max(0, first - start), Math.max(0, last + 1 - start));
    return index === 0 || shown.some(isOpen) ? [index] : [];
  });
}
