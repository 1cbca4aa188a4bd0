import { createRoute, redirect, retainSearchParams } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { Frame } from '../frame/frame.tsx';
import { queryClient } from './query-client.ts';
import { rootRoute } from './root-route.tsx';
import { textIn } from './search-text.ts';
import { type RangeSearch, readRange } from './time-range.ts';

/** What the URL of every page may have. */
interface FrameSearch extends RangeSearch {
  /** The row that is open beside the list of the page. */
  open?: string;
}

/** The parent of every page that needs a session. Links between its pages keep the time range. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  validateSearch: (search: Record<string, unknown>): FrameSearch => ({
    ...readRange(search),
    open: textIn(search, 'open'),
  }),
  search: { middlewares: [retainSearchParams<FrameSearch>(['range', 'from', 'to'])] },
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/login', search: { next: location.href } });
  },
  component: Frame,
});
