import { watchChanges } from './watch-changes.ts';

export const changeRoutes = [watchChanges];
