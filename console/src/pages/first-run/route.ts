import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { textIn } from '../../url/search-text.ts';

/** From an empty installation to the first call. Without a `team` it goes on with the first one that there is. */
export const firstRunRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/first-call',
  staticData: { follows: true, crumb: 'First call' },
  validateSearch: (search: Record<string, unknown>): { team?: string } => ({ team: textIn(search, 'team') }),
  component: lazyRouteComponent(() => import('./first-run-page.tsx'), 'FirstRunPage'),
});
