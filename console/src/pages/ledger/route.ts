import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { readFilters } from '../../components/list/filters.ts';
import { ledgerFilters } from './ledger-filters.ts';

export const ledgerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/ledger',
  staticData: { crumb: 'Ledger', hasRange: true },
  validateSearch: (search: Record<string, unknown>) => readFilters(ledgerFilters, search),
  component: lazyRouteComponent(() => import('./ledger-page.tsx'), 'LedgerPage'),
});
