import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { layoutRoute } from '../../app/layout-route.ts';
import { queryClient } from '../../app/query-client.ts';

/** The start of a team, and leads an account to its own. */
export const teamHomeRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/team',
  staticData: { crumb: 'Overview', hasRange: true },
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.kind !== 'team') throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./team-home-page.tsx'), 'TeamHomePage'),
});
