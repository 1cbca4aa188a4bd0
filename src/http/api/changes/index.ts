import { watchChanges } from './watch-changes.ts';

export const eventRoutes = [watchChanges];
