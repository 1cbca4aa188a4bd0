import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';

/** Every address that no other page has. */
export const notFoundRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '$',
  staticData: { crumb: 'No such page' },
  component: lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage'),
});
