import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { monthIn } from '../../url/month.ts';
import { textIn } from '../../url/search-text.ts';

interface StatementSearch {
  month?: string;
  /** For an admin: whose it is. */
  team?: string;
}

export const statementRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/statement',
  staticData: { follows: true, crumb: 'Statement' },
  validateSearch: (search: Record<string, unknown>): StatementSearch => ({
    month: monthIn(search),
    team: textIn(search, 'team'),
  }),
  component: lazyRouteComponent(() => import('./statement-page.tsx'), 'StatementPage'),
});
