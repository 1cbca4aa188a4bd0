import { apiSurface } from './api/surface.ts';
import type { Route } from './route.ts';
import type { Surface } from './surface.ts';

/** The surface of routes that name none, and of requests that belong to none. */
export const defaultSurface = apiSurface;

export const surfaceOf = ({ surface = defaultSurface }: { surface?: Surface }): Surface => surface;

/** The surfaces of an interface: those that its routes name. */
export const surfacesOf = (routes: readonly Route[]): Surface[] => [
  ...new Set(routes.map(({ spec }) => surfaceOf(spec))),
];
