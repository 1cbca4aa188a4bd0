import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Changes } from '../api/types.ts';
import { useChanges, usePolling } from './live.ts';
import { useThrottled } from './use-throttled.ts';

/** How late a figure may be while changes keep coming. */
const longestPauseMs = 10_000;

/**
 * Reads figures again when a job, a call, a team or a webhook has changed: at once, and then after pauses of up to ten seconds (decision
 * 79). The service reads what several consoles request at most every two seconds.
 */
export function useFollow(key: string): void {
  const cache = useQueryClient();
  const refresh = useThrottled(() => cache.invalidateQueries({ queryKey: [key] }), longestPauseMs);
  const onChanges = useCallback(
    (changes: Changes) => {
      if (Object.values(changes).some((changed) => changed.length > 0)) refresh();
    },
    [refresh],
  );
  useChanges(onChanges, refresh);
  usePolling(refresh, true);
}
