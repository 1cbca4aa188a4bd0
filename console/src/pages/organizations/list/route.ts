import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type FilterSearch, readFilters } from '../../../components/ui/list/filters.ts';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { monthIn } from '../../../url/month.ts';
import { type OrganizationFilter, organizationFilters } from './organization-filters.ts';

export const organizationsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/organizations',
  staticData: { follows: true, crumb: 'Organizations' },
  validateSearch: (search: Record<string, unknown>): FilterSearch<OrganizationFilter> & { month?: string } => ({
    ...readFilters(organizationFilters, search),
    month: monthIn(search),
  }),
  component: lazyRouteComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
});
