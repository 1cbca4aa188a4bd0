import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { layoutRoute } from '../../app/layout-route.ts';
import { queryClient } from '../../app/query-client.ts';

/** The first page: the overview for admins; a team and an account without figures are sent to their own first page. */
export const homeRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/',
  staticData: { crumb: 'Overview', hasRange: true },
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.kind === 'team') throw redirect({ to: '/team' });
    if (!session?.permissions.includes('usage:read')) throw redirect({ to: '/me' });
  },
  component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
});
