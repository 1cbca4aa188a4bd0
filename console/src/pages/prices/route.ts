import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { readPricesSearch } from './prices-search.ts';

export const pricesRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/prices',
  staticData: { crumb: 'Prices' },
  validateSearch: readPricesSearch,
  component: lazyRouteComponent(() => import('./prices-page.tsx'), 'PricesPage'),
});
