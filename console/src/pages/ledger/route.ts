import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { readFilters } from '../../components/list/filters.ts';
import { ledgerFilters } from './ledger-filters.ts';

export const ledgerRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/ledger',
  staticData: { crumb: 'Ledger', hasRange: true },
  validateSearch: (search: Record<string, unknown>) => readFilters(ledgerFilters, search),
  component: lazyRouteComponent(() => import('./ledger-page.tsx'), 'LedgerPage'),
});
