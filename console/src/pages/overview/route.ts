import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { layoutRoute } from '../../layout/layout-route.ts';

/** The first page: the overview for admins; a team and an account without figures are sent to their own first page. */
export const overviewRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/',
  staticData: { follows: true, crumb: 'Overview', hasRange: 'days' },
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.kind === 'team') throw redirect({ to: '/team' });
    if (!session?.permissions.includes('usage:read')) throw redirect({ to: '/me' });
  },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});
