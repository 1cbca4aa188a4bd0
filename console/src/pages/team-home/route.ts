import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { layoutRoute } from '../../layout/layout-route.ts';

/** The first page of a team's session; an account is sent to its own first page. */
export const teamHomeRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/team',
  staticData: { follows: true, crumb: 'Overview', hasRange: 'days' },
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.kind !== 'team') throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./team-home-page.tsx'), 'TeamHomePage'),
});
