import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';

export const systemRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/system',
  staticData: { crumb: 'System' },
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
});
