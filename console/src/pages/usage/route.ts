import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { readUsageSearch } from './usage-search.ts';

export const usageRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/usage',
  staticData: { follows: true, crumb: 'Usage', hasRange: true },
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
});
