import { anthropicErrors, isForAnthropic } from '../anthropic/errors.ts';
import type { Route } from '../route.ts';
import type { ErrorFormat } from '../surface.ts';
import { defaultSurface, surfaceOf, surfacesOf } from '../surfaces.ts';
import { isForOpenAi } from '../v1/unknown-paths.ts';
import { findSimilarPath, segmentsOf } from './find-similar-path.ts';

interface KnownPath extends Array<string> {
  path: string;
  methods: string;
  surface: ReturnType<typeof surfaceOf>;
}

function knownPaths(all: readonly Route[]): KnownPath[] {
  const byPath = Map.groupBy(all, ({ spec }) => spec.path);
  return [...byPath].map(([path, onPath]) =>
    Object.assign([...segmentsOf(path)], {
      path: path.replace('{+', '{'),
      methods: onPath.map(({ spec }) => spec.method.toUpperCase()).join(' or '),
      surface: surfaceOf(onPath[0]!.spec),
    }),
  );
}

const list = (known: readonly KnownPath[]): string => known.map(({ methods, path }) => `${methods} ${path}`).join(', ');

/** What is answered on paths that do not exist: what there is instead, in the form that the client reads. `spec 1.17` */
export function newUnknownPaths(all: readonly Route[]) {
  const known = knownPaths(all);
  const surfaces = surfacesOf(all);
  const prefixes = surfaces.map(({ prefix }) => prefix.replaceAll('/', ''));
  const openAi = surfaces.find(({ prefix }) => prefix === '/v1/');
  const ofOpenAi = known.filter(({ surface }) => surface === openAi);
  const similarTo = (path: string) => findSimilarPath(path, known, prefixes);
  const surfaceFor = (path: string) => {
    if (openAi && isForOpenAi(path)) return openAi;
    const own = surfaces.find(({ prefix }) => `${path}/`.startsWith(prefix));
    return own ?? similarTo(path)?.surface ?? defaultSurface;
  };
  return {
    /** Also of a path that exists, when the request is refused before its path is looked at. */
    errorFormat: (path: string): ErrorFormat => (isForAnthropic(path) ? anthropicErrors : surfaceFor(path)),
    advise(path: string): string {
      const similar = isForAnthropic(path) ? undefined : similarTo(path);
      if (similar) {
        const base = similar.surface === openAi ? ' The base URL of OpenAI clients ends with /v1, once' : '';
        return `did you mean ${similar.methods} ${similar.path}?${base}`;
      }
      if (isForAnthropic(path))
        return `this service has no Messages API. In the form of OpenAI it has ${list(ofOpenAi)}`;
      if (surfaceFor(path) === openAi) return `of OpenAI's API this service has ${list(ofOpenAi)}`;
      return '/openapi.json lists every path';
    },
  };
}
