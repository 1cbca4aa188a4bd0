import { apiSurface } from './api/surface.ts';
import { openAiSurface } from './openai/surface.ts';
import type { Surface } from './surface.ts';

/** For routes that name no surface, and for requests that belong to none. */
export const defaultSurface = apiSurface;

const surfaces: readonly Surface[] = [apiSurface, openAiSurface];

export const surfaceOf = ({ surface = defaultSurface }: { surface?: Surface }): Surface => surface;

/** The surface of a path on which there is no route. */
export const surfaceOfUnknownPath = (path: string): Surface =>
  surfaces.find(({ prefix }) => `${path}/`.startsWith(prefix)) ?? defaultSurface;
