import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../app/layout-route.ts';
import { readJobList } from './job-search.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/jobs',
  staticData: { crumb: 'Jobs', hasRange: true },
  validateSearch: readJobList,
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
});
