/** A path of the interface in its segments: `['api', 'jobs', '{job_id}']`. */
export type Segments = readonly string[];

export const segmentsOf = (path: string): Segments => path.split('/').filter(Boolean);

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** The last parameter of a path may take several segments: `{+model}`. */
const takesRest = (template: Segments): boolean => Boolean(template.at(-1)?.startsWith('{+'));

const fits = (given: Segments, template: Segments): boolean =>
  (takesRest(template) ? given.length >= template.length : given.length === template.length) &&
  template.every((segment, index) => isParameter(segment) || segment === given[index]!.toLowerCase());

/** Longer paths are compared from here on: the search grows with their length. */
const maxSegments = 8;

/**
 * The path that a client with a wrong base URL meant: the longest end of the given path that is one of these, alone or below one of
 * the prefixes. Upper case and repeated slashes do not matter.
 */
export function findSimilarPath<Template extends Segments>(
  path: string,
  templates: readonly Template[],
  prefixes: readonly string[],
): Template | undefined {
  const given = segmentsOf(path).slice(-maxSegments);
  for (const start of given.keys()) {
    const end = given.slice(start);
    for (const candidate of [end, ...prefixes.map((prefix) => [prefix, ...end])]) {
      const similar = templates.find((template) => fits(candidate, template));
      if (similar) return similar;
    }
  }
  return undefined;
}
