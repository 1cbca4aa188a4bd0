import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { setupQuery } from '../../api/session.ts';
import { queryClient } from '../../app/query-client.ts';
import { rootRoute } from '../../app/root-route.tsx';
import { oneIn, textIn } from '../../app/search-text.ts';

interface LoginSearch {
  /** Where to go then. */
  next?: string;
  /** Who signs in, unless it is an admin. */
  as?: 'team';
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    next: textIn(search, 'next'),
    as: oneIn(search, 'as', ['team']),
  }),
  beforeLoad: async ({ search }) => {
    // Teams may exist before the first owner does.
    if (search.as === 'team') return;
    const setup = await queryClient.ensureQueryData(setupQuery).catch(() => undefined);
    if (setup?.needs_setup) throw redirect({ to: '/setup' });
  },
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});
