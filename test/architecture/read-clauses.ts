import { globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** A clause of the specification, with the tests that prove it, each as its file and title. */
export interface Clause {
  id: string;
  heading: string;
  tests: string[];
}

interface Chapter {
  heading: string;
  clauses: Clause[];
}

/** The title of a test, or of a group of tests, ends with the clauses that it proves: `… (spec 5.7, spec 10.8)`. */
const provingTitle = /(['"`])((?:(?!\1).)+) \((spec \d+\.\d+(?:, spec \d+\.\d+)*)\)\1,/g;

export const titlesIn = (source: string): { title: string; ids: string[] }[] =>
  [...source.matchAll(provingTitle)].map(([, , title, cited]) => ({ title: title!, ids: cited!.match(/\d+\.\d+/g)! }));

/** The chapters of the specification in their order. */
export function readChapters(): Chapter[] {
  const proofs = globSync('test/**/*.test.ts', { cwd: root })
    .toSorted()
    .flatMap((path) => titlesIn(read(path)).map(({ title, ids }) => ({ test: `${path}: ${title}`, ids })));
  return globSync('docs/spec/[0-9]*.md', { cwd: root })
    .toSorted()
    .map((path) => {
      const headings = [...read(path).matchAll(/^#+ <a id="([\d.]+)"><\/a>(.*)$/gm)].map(([, id, heading]) => ({
        id: id!,
        heading: heading!,
      }));
      const [chapter, ...clauses] = headings;
      const testsOf = (id: string) => proofs.filter(({ ids }) => ids.includes(id)).map(({ test }) => test);
      return {
        heading: chapter!.heading,
        clauses: clauses.map((clause) => ({ ...clause, tests: testsOf(clause.id) })),
      };
    });
}
