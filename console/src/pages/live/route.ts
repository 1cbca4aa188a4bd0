import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';

export const liveRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/live',
  staticData: { follows: true, crumb: 'Live' },
  component: lazyRouteComponent(() => import('./live-page.tsx'), 'LivePage'),
});
