import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { readMarginsSearch } from './margins-search.ts';

export const marginsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/margins',
  staticData: { crumb: 'Margins', hasRange: true },
  validateSearch: readMarginsSearch,
  component: lazyRouteComponent(() => import('./margins-page.tsx'), 'MarginsPage'),
});
