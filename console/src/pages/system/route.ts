import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';

export const systemRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/system',
  staticData: { follows: 15, crumb: 'System' },
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
});
