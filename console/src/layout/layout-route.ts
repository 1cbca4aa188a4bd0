import { createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { textIn } from '../url/search-text.ts';
import { keepRange, type RangeSearch, readRange } from '../url/time-range.ts';
import { Layout } from './layout.tsx';
import { rootRoute } from './root-route.tsx';

/** What the URL of every page may have. */
interface LayoutSearch extends RangeSearch {
  /** The row that is open beside the list of the page. */
  open?: string;
}

/** The parent of every page that needs a session. Links between its pages keep the time range. */
export const layoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'layout',
  validateSearch: (search: Record<string, unknown>): LayoutSearch => ({
    ...readRange(search),
    open: textIn(search, 'open'),
  }),
  search: {
    middlewares: [
      ({ search, next }) => {
        const link = next(search);
        return { ...link, ...keepRange(search, link) };
      },
    ],
  },
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/login', search: { next: location.href } });
  },
  component: Layout,
});
