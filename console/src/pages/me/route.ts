import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';

export const meRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/me',
  staticData: { crumb: 'Your account' },
  component: lazyRouteComponent(() => import('./me-page.tsx'), 'MePage'),
});
