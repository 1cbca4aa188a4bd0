import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { oneIn } from '../../../url/search-text.ts';
import { type TeamTab, teamTabs } from './team-tabs.ts';

export const teamRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/teams/$teamId',
  staticData: { follows: true, crumb: 'Team' },
  validateSearch: (search: Record<string, unknown>): { tab?: TeamTab } => ({ tab: oneIn(search, 'tab', teamTabs) }),
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
});
