import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutRoute } from '../../layout/layout-route.ts';
import { readModelsSearch } from './models-search.ts';

export const modelsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/models',
  staticData: { crumb: 'Models', hasRange: (search) => 'tab' in search && search.tab === 'health' },
  validateSearch: readModelsSearch,
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
});
