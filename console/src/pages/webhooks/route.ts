import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { readFilters } from '../../components/list/filters.ts';
import { webhookFilters } from './webhook-filters.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/webhooks',
  staticData: { crumb: 'Webhooks' },
  validateSearch: (search: Record<string, unknown>) => readFilters(webhookFilters, search),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});
