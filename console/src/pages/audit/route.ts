import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../../components/ui/list/filters.ts';
import { layoutRoute } from '../../layout/layout-route.ts';
import { auditFilters } from './audit-filters.ts';

export const auditRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/audit',
  staticData: { crumb: 'Audit log', hasRange: true },
  validateSearch: (search: Record<string, unknown>) => readFilters(auditFilters, search),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
