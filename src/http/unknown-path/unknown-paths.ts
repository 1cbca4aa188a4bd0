import type { Route } from '../route.ts';
import type { ErrorFormat } from '../surface.ts';
import { defaultSurface, surfaceOf, surfacesOf } from '../surfaces.ts';
import { isForAnthropic } from '../v1/anthropic-paths.ts';
import { isForOpenAi } from '../v1/unknown-paths.ts';
import { findSimilarPath, segmentsOf } from './find-similar-path.ts';

interface KnownPath extends Array<string> {
  path: string;
  methods: string;
  surface: ReturnType<typeof surfaceOf>;
}

function knownPaths(all: readonly Route[]): KnownPath[] {
  const byPath = Map.groupBy(
    all.filter(({ spec }) => !spec.withHeader),
    ({ spec }) => spec.path,
  );
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
  const anthropic = surfaces.find(({ prefix }) => prefix === '/v1/messages/');
  const prefixes = surfaces.map(({ prefix }) => prefix.replaceAll('/', ''));
  const openAi = surfaces.find(({ prefix }) => prefix === '/v1/');
  const ofOpenAi = known.filter(({ surface }) => surface === openAi);
  const ofAnthropic = known.filter(({ surface }) => surface === anthropic);
  const others = known.filter(({ surface }) => surface !== anthropic);
  // A thread of OpenAI has messages too, and is not meant.
  const similarTo = (path: string) => findSimilarPath(path, isForAnthropic(path) ? known : others, prefixes);
  const surfaceFor = (path: string) => {
    if (anthropic && isForAnthropic(path)) return anthropic;
    if (openAi && isForOpenAi(path)) return openAi;
    const own = surfaces.find(({ prefix }) => `${path}/`.startsWith(prefix));
    return own ?? similarTo(path)?.surface ?? defaultSurface;
  };
  const baseOf = (surface: KnownPath['surface']): string => {
    if (surface === openAi) return ' The base URL of OpenAI clients ends with /v1, once';
    return surface === anthropic ? " The base URL of Anthropic's clients ends before /v1" : '';
  };
  return {
    /** Also of a path that exists, when the request is refused before its path is looked at. */
    errorFormat: (path: string): ErrorFormat => surfaceFor(path),
    advise(path: string): string {
      const similar = similarTo(path);
      if (similar) return `did you mean ${similar.methods} ${similar.path}?${baseOf(similar.surface)}`;
      if (surfaceFor(path) === anthropic) return `of Anthropic's API this service has ${list(ofAnthropic)}`;
      if (surfaceFor(path) === openAi) return `of OpenAI's API this service has ${list(ofOpenAi)}`;
      return '/openapi.json lists every path';
    },
  };
}
