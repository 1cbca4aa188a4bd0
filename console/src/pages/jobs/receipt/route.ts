import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pickList } from '../../../components/jobs/job-search.ts';
import { layoutRoute } from '../../../layout/layout-route.ts';
import { readReceiptSearch } from './receipt-search.ts';

/** The receipt of one job: why it was charged, or not. */
export const jobRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/jobs/$jobId',
  staticData: { follows: true, crumb: 'Job', listOf: pickList },
  validateSearch: readReceiptSearch,
  component: lazyRouteComponent(() => import('./job-page.tsx'), 'JobPage'),
});
