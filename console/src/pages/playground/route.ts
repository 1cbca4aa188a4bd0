import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { textIn } from '../../url/search-text.ts';

/** A call that is to be tried again is named in the URL; what a person writes is not. */
export const playgroundRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/playground',
  staticData: { crumb: 'Playground' },
  validateSearch: (search: Record<string, unknown>): { job?: string; call?: string } => ({
    job: textIn(search, 'job'),
    call: textIn(search, 'call'),
  }),
  component: lazyRouteComponent(() => import('./playground-page.tsx'), 'PlaygroundPage'),
});
