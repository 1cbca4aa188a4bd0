import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../../components/ui/list/filters.ts';
import { layoutRoute } from '../../layout/layout-route.ts';
import { callFilters } from './call-filters.ts';

export const errorsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/errors',
  staticData: { follows: true, crumb: 'Errors', hasRange: true },
  validateSearch: (search: Record<string, unknown>) => readFilters(callFilters, search),
  component: lazyRouteComponent(() => import('./errors-page.tsx'), 'ErrorsPage'),
});
