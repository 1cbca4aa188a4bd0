import { search } from './search.ts';

export const searchRoutes = [search];
