import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './problem.ts';

const maxRetries = 2;

/** The one cache of what the API has answered. A hidden tab requests nothing, and an error that a retry cannot mend is shown at once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      retry: (count, error) => count < maxRetries && isPassing(error),
      refetchIntervalInBackground: false,
    },
    mutations: { retry: false },
  },
});
