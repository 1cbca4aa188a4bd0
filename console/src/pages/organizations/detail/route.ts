import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { monthIn } from '../../../url/month.ts';

export const organizationRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/organizations/$organizationId',
  staticData: { follows: true, crumb: 'Organization' },
  validateSearch: (search: Record<string, unknown>): { month?: string } => ({ month: monthIn(search) }),
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
});
