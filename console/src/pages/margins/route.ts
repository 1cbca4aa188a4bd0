import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { readMarginsSearch } from './margins-search.ts';

export const marginsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/margins',
  staticData: { follows: true, crumb: 'Margins', hasRange: 'days' },
  validateSearch: readMarginsSearch,
  component: lazyRouteComponent(() => import('./margins-page.tsx'), 'MarginsPage'),
});
