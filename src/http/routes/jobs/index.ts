import type { Route } from '../../route.ts';

export const jobRoutes: readonly Route[] = [];
