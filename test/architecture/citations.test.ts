import { globSync, readFileSync } from 'node:fs';
import { readChapters, titlesIn } from './read-clauses.ts';

const root = new URL('../..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The number of a chapter, as in `03-jobs.md`. */
const chapterOf = (path: string): number => Number(/(\d+)-[^/]*$/.exec(path)?.[1]);

const idsIn = (text: string): string[] => [...text.matchAll(/<a id="([^"]*)"><\/a>/g)].map(([, id]) => id!);

const chapters = globSync('docs/spec/[0-9]*.md', { cwd: root }).map((path) => ({ path, text: read(path) }));
const clauses = chapters.flatMap(({ path, text }) => idsIn(text).map((id) => ({ path, id })));
const known = new Set(clauses.map(({ id }) => id));

const folders = '{src,activities,workflows,migrations,tools,test,bench,scripts,docs,deploy}';
const ownPath = 'test/architecture/citations.test.ts';
const files = globSync([`${folders}/**/*.{ts,mjs,md,yml,yaml,txt,json}`, '*.{md,yml,js}'], {
  cwd: root,
  exclude: ['**/node_modules'],
})
  .filter((path) => path !== ownPath)
  .map((path) => ({ path, text: read(path) }));

/** `spec 3.5`: a clause; `spec 3`: a chapter. */
const citedIn = (text: string): string[] => [...text.matchAll(/\bspec (\d+(?:\.\d+)?)/g)].map(([, id]) => id!);

test('each clause of the specification has its own anchor, in the file of its chapter and in a heading with its number', () => {
  const repeated = clauses.filter(({ id }, at) => clauses.findIndex((other) => other.id === id) !== at);
  const misplaced = clauses.filter(({ path, id }) => Number(id.split('.')[0]) !== chapterOf(path));
  const headings = chapters.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('#')));
  const unlike = headings.filter((line) => !/^#+ <a id="(\d+(?:\.\d+)?)"><\/a>\1 \S/.test(line));

  expect(known.size).toBeGreaterThan(100);
  expect(repeated).toEqual([]);
  expect(misplaced).toEqual([]);
  expect(unlike).toEqual([]);
});

test('each citation of the specification in the repository names a clause that exists', () => {
  const citations = files.flatMap(({ path, text }) => citedIn(text).map((id) => ({ path, id })));

  expect(citations.length).toBeGreaterThan(100);
  expect(citations.filter(({ id }) => !known.has(id))).toEqual([]);
});

test('each clause of the specification is proved by a test whose title ends with it', () => {
  const without = readChapters().flatMap(({ clauses }) => clauses.filter(({ tests }) => tests.length === 0));

  expect(titlesIn("test('a (spec 99.1, spec 99.2)', …); test('spec 99.3: a', …)")).toEqual([
    { title: 'a', ids: ['99.1', '99.2'] },
  ]);
  expect(without.map(({ heading }) => heading)).toEqual([]);
});

test('each link within the specification leads to the clause whose number it shows', () => {
  const links = [...chapters, { path: 'docs/spec/README.md', text: read('docs/spec/README.md') }].flatMap(
    ({ path, text }) =>
      [...text.matchAll(/\[([\d.]+)\]\((\d[\w-]*\.md)?#?([\d.]*)\)/g)].map(([link, shown, file, id]) => {
        const target = file ? `docs/spec/${file}` : path;
        const expected = id || String(chapterOf(target));
        const exists = clauses.some((clause) => clause.path === target && clause.id === expected);
        return { path, link, holds: exists && shown === expected };
      }),
  );

  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ holds }) => !holds)).toEqual([]);
});

test('no file cites the documents that the specification replaces', () => {
  const replaced = /\b(rulings|interface|design)\.md\b/;

  expect(files.filter(({ text }) => replaced.test(text)).map(({ path }) => path)).toEqual([]);
});
