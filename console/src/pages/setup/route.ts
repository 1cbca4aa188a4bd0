import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../layout/root-route.tsx';

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
});
