import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { readJobSearch } from './job-search.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  staticData: { crumb: 'Jobs', hasRange: true },
  validateSearch: readJobSearch,
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
});
