import { createRoute, redirect, retainSearchParams } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { Frame } from '../frame/frame.tsx';
import { queryClient } from './query-client.ts';
import { rootRoute } from './root-route.tsx';
import { type RangeSearch, readRange } from './time-range.ts';

/** The parent of every page that needs a session. Links between its pages keep the time range. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  validateSearch: readRange,
  search: { middlewares: [retainSearchParams<RangeSearch>(['range', 'from', 'to'])] },
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/login', search: { next: location.href } });
  },
  component: Frame,
});
