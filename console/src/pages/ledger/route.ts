import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../../components/ui/list/filters.ts';
import { layoutRoute } from '../../layout/layout-route.ts';
import { ledgerFilters } from './ledger-filters.ts';

export const ledgerRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/ledger',
  staticData: { follows: true, crumb: 'Ledger', hasRange: true },
  validateSearch: (search: Record<string, unknown>) => readFilters(ledgerFilters, search),
  component: lazyRouteComponent(() => import('./ledger-page.tsx'), 'LedgerPage'),
});
