import { useQueryClient } from '@tanstack/react-query';

/** Reads again all that the page shows, but not who is signed in. */
export function useRefreshAll(): () => void {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
