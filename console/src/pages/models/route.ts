import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../app/frame-route.ts';
import { readModelsSearch } from './models-search.ts';

export const modelsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/models',
  staticData: { crumb: 'Models' },
  validateSearch: readModelsSearch,
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
});
