import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Changes } from '../api/types.ts';
import { useChanges, usePolling } from './live.ts';
import { useThrottled } from './use-throttled.ts';

/** Figures may be two seconds old (spec 19.52), so that those that are read at once may not contain the change yet. */
const figureAgeMs = 2_500;
/** How late a figure may be while changes keep coming. */
const maxPauseMs = 10_000;

/** Does what `useThrottled` does, and runs the work once more when the figures are sure to contain the last change. */
export function useThrottledFigures(work: () => Promise<void>, maxPauseMs?: number): () => void {
  const refresh = useThrottled(work, maxPauseMs);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    refresh();
    clearTimeout(timer.current);
    timer.current = setTimeout(refresh, figureAgeMs);
  }, [refresh]);
}

/** Reads the figures of a page again when a job, a call, a team or a webhook has changed, after pauses of up to ten seconds. */
export function useFollow(key: string): void {
  const cache = useQueryClient();
  const refresh = useThrottledFigures(() => cache.invalidateQueries({ queryKey: [key] }), maxPauseMs);
  const onChanges = useCallback(
    (changes: Changes) => {
      if (Object.values(changes).some((changed) => changed.length > 0)) refresh();
    },
    [refresh],
  );
  useChanges(onChanges, refresh);
  usePolling(refresh, true);
}
