import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readJobList } from '../../../components/jobs/job-search.ts';
import { layoutRoute } from '../../../layout/layout-route.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/jobs',
  staticData: { follows: true, crumb: 'Jobs', hasRange: true },
  validateSearch: readJobList,
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
});
