import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../../../components/ui/list/filters.ts';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { webhookFilters } from './webhook-filters.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/webhooks',
  staticData: { follows: true, crumb: 'Webhooks' },
  validateSearch: (search: Record<string, unknown>) => readFilters(webhookFilters, search),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});
