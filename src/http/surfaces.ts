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

/** The surface of a path on which there is no route. */
export const surfaceOfUnknownPath = (surfaces: readonly Surface[], path: string): Surface =>
  surfaces.find(({ prefix }) => `${path}/`.startsWith(prefix)) ?? defaultSurface;
