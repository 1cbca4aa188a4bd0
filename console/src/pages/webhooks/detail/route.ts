import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type FilterSearch, readFilters } from '../../../components/ui/list/filters.ts';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { textIn } from '../../../url/search-text.ts';
import { deliveryFilters } from './delivery-filters.ts';

export const webhookRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/webhooks/$webhookId',
  staticData: { follows: true, crumb: 'Webhook', hasRange: true },
  validateSearch: (search: Record<string, unknown>): FilterSearch<'state'> & { delivery?: string } => ({
    ...readFilters(deliveryFilters, search),
    delivery: textIn(search, 'delivery'),
  }),
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
