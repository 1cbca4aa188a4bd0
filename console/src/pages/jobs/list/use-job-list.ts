import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { getJobs, jobsQuery } from '../../../api/jobs.ts';
import type { Changes } from '../../../api/types.ts';
import { type JobListSearch, toListKey, toListQuery } from '../../../components/jobs/job-search.ts';
import { retryPage } from '../../../components/ui/list/use-list.ts';
import { useChanges, usePolling } from '../../../live/live.ts';
import { useThrottled } from '../../../live/use-throttled.ts';
import type { RangeSearch } from '../../../url/time-range.ts';
import {
  findNewestPage,
  mergePage,
  newerThan,
  type Pages,
  pagesToRead,
  patchStatuses,
  trailingEmpty,
} from './job-pages.ts';

/** After so many pages without a match a person decides whether to go on: each looks at thousands of jobs. */
const maxEmptyPages = 8;

/** States are updated at once, figures after at most this long while jobs keep changing. */
const maxPauseMs = 10_000;

/**
 * The list as it was read, in which only unfinished rows change: an event sets their state at once, and their page is read again for
 * their figures. Newer jobs are counted and not inserted, so that no row moves by itself.
 */
export function useJobList(search: JobListSearch & RangeSearch) {
  const cache = useQueryClient();
  const options = jobsQuery(toListKey(search), () => toListQuery(search));
  const query = useInfiniteQuery(options);
  const [newer, setNewer] = useState(0);
  const pages = query.data?.pages;
  const jobs = useMemo(() => pages?.flatMap((page) => page.jobs) ?? [], [pages]);
  /** The rows that are on the screen: the first and the last. */
  const inView = useRef<[first: number, last: number]>([0, 0]);

  const refresh = useThrottled(async () => {
    const data = cache.getQueryData(options.queryKey);
    if (!data) return;
    const newest = findNewestPage(data, search.order);
    for (const index of pagesToRead(data, inView.current, newest)) {
      const fresh = await getJobs(toListQuery(search), data.pageParams[index] as string).catch(() => undefined);
      if (!fresh) return;
      if (index === newest) setNewer(newerThan(data, fresh.jobs));
      cache.setQueryData(options.queryKey, (now: Pages | undefined) => now && mergePage(now, index, fresh.jobs));
    }
  }, maxPauseMs);

  const onChanges = useCallback(
    ({ jobs: changed = [], calls = [] }: Changes) => {
      if (changed.length + calls.length === 0) return;
      cache.setQueryData(options.queryKey, (now: Pages | undefined) => now && patchStatuses(now, changed));
      refresh();
    },
    [cache, options.queryKey, refresh],
  );
  useChanges(onChanges, refresh);
  // The cache has received no event while another page was shown.
  const isKnown = pages !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list
  useEffect(() => {
    if (isKnown) refresh();
  }, [JSON.stringify(options.queryKey)]);
  usePolling(refresh, true);

  const showNewer = () => {
    setNewer(0);
    void cache.resetQueries({ queryKey: options.queryKey });
    void cache.invalidateQueries({ queryKey: ['histogram'] });
  };
  const empty = trailingEmpty(query.data);
  const table = {
    rows: jobs,
    state: { isPending: query.isPending, error: query.error, refetch: () => retryPage(query) },
    more: {
      hasMore: query.hasNextPage,
      isLoading: query.isFetchingNextPage,
      isPaused: empty > 0 && empty % maxEmptyPages === 0,
      load: () => void query.fetchNextPage(),
    },
  };
  return { table, newer, showNewer, refresh, inView };
}
