import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';

export const liveRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/live',
  staticData: { crumb: 'Live' },
  component: lazyRouteComponent(() => import('./live-page.tsx'), 'LivePage'),
});
