import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { setupQuery } from '../../api/session.ts';
import { queryClient } from '../../app/query-client.ts';
import { rootRoute } from '../../app/root-route.tsx';
import { textIn } from '../../app/search-text.ts';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { next?: string } => ({ next: textIn(search, 'next') }),
  beforeLoad: async () => {
    const setup = await queryClient.ensureQueryData(setupQuery).catch(() => undefined);
    if (setup?.needs_setup) throw redirect({ to: '/setup' });
  },
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});
