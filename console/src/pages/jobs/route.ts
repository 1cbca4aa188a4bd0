import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { readJobList } from './job-search.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  staticData: { crumb: 'Jobs', hasRange: true },
  validateSearch: readJobList,
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
});
