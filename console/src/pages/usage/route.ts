import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { readUsageSearch } from './usage-search.ts';

export const usageRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/usage',
  staticData: { crumb: 'Usage', hasRange: true },
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
});
