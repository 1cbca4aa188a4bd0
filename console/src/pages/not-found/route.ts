import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';

/** Every address that no other page has. */
export const notFoundRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '$',
  staticData: { crumb: 'No such page' },
  component: lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage'),
});
