import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../layout/root-route.tsx';

/** The token of the invitation is the fragment of the address, which a browser sends to no server. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
});
