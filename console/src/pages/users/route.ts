import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../../components/ui/list/filters.ts';
import { layoutRoute } from '../../layout/layout-route.ts';
import { userFilters } from './user-filters.ts';

export const usersRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/users',
  staticData: { crumb: 'Users' },
  validateSearch: (search: Record<string, unknown>) => readFilters(userFilters, search),
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
});
