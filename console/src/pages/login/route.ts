import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { setupQuery } from '../../api/session.ts';
import { rootRoute } from '../../layout/root-route.tsx';
import { oneIn, textIn } from '../../url/search-text.ts';

interface LoginSearch {
  /** The address to open after the sign-in. */
  next?: string;
  /** The page is for a team, and not for an admin. */
  as?: 'team';
  /** The identity provider has led back here, with a session. */
  done?: 'oidc';
  /** It has led back here without one: the code of the reason. */
  refused?: string;
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    next: textIn(search, 'next'),
    as: oneIn(search, 'as', ['team']),
    done: oneIn(search, 'done', ['oidc']),
    refused: textIn(search, 'refused'),
  }),
  beforeLoad: async ({ search }) => {
    // Teams may exist before the first owner does.
    if (search.as || search.refused || search.done) return;
    const setup = await queryClient.ensureQueryData(setupQuery).catch(() => undefined);
    if (setup?.needs_setup) throw redirect({ to: '/setup' });
  },
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});
