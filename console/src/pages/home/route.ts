import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { layoutRoute } from '../../app/layout-route.ts';
import { queryClient } from '../../app/query-client.ts';

/** The start is the overview, and leads those who have another one to theirs. */
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
