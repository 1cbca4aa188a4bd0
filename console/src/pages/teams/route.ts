import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { readFilters } from '../../components/list/filters.ts';
import { teamFilters } from './team-filters.ts';

export const teamsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/teams',
  staticData: { crumb: 'Teams' },
  validateSearch: (search) => readFilters(teamFilters, search),
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
});
