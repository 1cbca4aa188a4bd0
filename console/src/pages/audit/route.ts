import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { textIn } from '../../app/search-text.ts';
import { type FilterSearch, readFilters } from '../../components/list/filters.ts';
import { type AuditFilter, auditFilters } from './audit-filters.ts';

export const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/audit',
  staticData: { crumb: 'Audit log', hasRange: true },
  validateSearch: (search: Record<string, unknown>): FilterSearch<AuditFilter> & { open?: string } => ({
    ...readFilters(auditFilters, search),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
