import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';

export const teamRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/team',
  staticData: { crumb: 'Overview', hasRange: true },
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
});
