import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';

export const meRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/me',
  staticData: { crumb: 'Your account' },
  component: lazyRouteComponent(() => import('./me-page.tsx'), 'MePage'),
});
