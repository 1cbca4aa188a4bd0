import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { readFilters } from '../../components/list/filters.ts';
import { userFilters } from './user-filters.ts';

export const usersRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/users',
  staticData: { crumb: 'Users' },
  validateSearch: (search: Record<string, unknown>) => readFilters(userFilters, search),
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
});
