import { getPlayground } from './get-playground.ts';
import { runInPlayground } from './run-in-playground.ts';

export const playgroundRoutes = [getPlayground, runInPlayground];
