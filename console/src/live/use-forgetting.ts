import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useChanges } from './live.ts';

/** What has rows in their places: such a list reads itself again when it is shown, and keeps its pages. */
const lists: readonly unknown[] = ['list', 'jobs'];

/** After an event, figures of pages that are not shown are read again when they are: nothing on those pages has received it. */
export function useForgetting(): void {
  const cache = useQueryClient();
  const forget = useCallback(
    () =>
      void cache.invalidateQueries({
        type: 'inactive',
        refetchType: 'none',
        predicate: ({ queryKey: [kind] }) => kind !== 'session' && !lists.includes(kind),
      }),
    [cache],
  );
  useChanges(forget, forget);
}
