import { createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { frameRoute } from '../../app/frame-route.ts';
import { queryClient } from '../../app/query-client.ts';

/** The start leads everybody to the page that is theirs. */
export const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.kind === 'team') throw redirect({ to: '/team' });
    throw redirect({ to: session?.permissions.includes('jobs:read') ? '/jobs' : '/me' });
  },
});
