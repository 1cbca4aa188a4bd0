import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { readFilters } from '../../components/list/filters.ts';
import { auditFilters } from './audit-filters.ts';

export const auditRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/audit',
  staticData: { crumb: 'Audit log', hasRange: true },
  validateSearch: (search: Record<string, unknown>) => readFilters(auditFilters, search),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
