import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../../../components/ui/list/filters.ts';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { teamFilters } from './team-filters.ts';

export const teamsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/teams',
  staticData: { follows: true, crumb: 'Teams' },
  validateSearch: (search) => readFilters(teamFilters, search),
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
});
