import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { textIn } from '../../app/search-text.ts';
import { type FilterSearch, readFilters } from '../../components/list/filters.ts';
import { deliveryFilters } from './delivery-filters.ts';

export const webhookRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/webhooks/$webhookId',
  staticData: { crumb: 'Webhook', hasRange: true },
  validateSearch: (search: Record<string, unknown>): FilterSearch<'state'> & { delivery?: string } => ({
    ...readFilters(deliveryFilters, search),
    delivery: textIn(search, 'delivery'),
  }),
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
