import { existsSync, globSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const read = (page: string): string => readFileSync(new URL(page, root), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md', 'tools/**/*.md'], { cwd: root });
const named = /`((?:src|activities|workflows|migrations|tools|test|bench|scripts|docs)\/[^`*…<{ ]+)`/g;
const linked = /\]\(([^()#:\s]+)(?:#[^()\s]*)?\)/g;

test.each(pages)('every path that %s names exists', (page) => {
  const paths = [...read(page).matchAll(named)].map(([, path]) => path!);

  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test.each(pages)('every link of %s to a file leads to a file', (page) => {
  const targets = [...read(page).matchAll(linked)].map(([, target]) => target!);

  expect(targets.filter((target) => !existsSync(new URL(target, new URL(page, root))))).toEqual([]);
});

test('every decision is cited by a page or a file outside of the decisions, and every citation names a decision that is there', () => {
  const code = '{src,activities,workflows,migrations,tools,test,bench,scripts,console/src}/**/*.{ts,tsx,mjs}';
  const present = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((page) => Number(/\d{4}/.exec(page)));
  const citing = globSync(['*.md', 'docs/**/*.md', 'tools/**/*.md', code], { cwd: root, exclude: ['**/node_modules'] });
  const outside = citing.filter((file) => !file.startsWith('docs/decisions/'));
  const citations = outside.flatMap((file) =>
    [...read(file).matchAll(/\bdecisions?\s+(\d{1,4})\b|\bdecisions\/(\d{4})-/gi)].map(([, number, page]) => ({
      file,
      decision: Number(number ?? page),
    })),
  );
  const cited = new Set(citations.map(({ decision }) => decision));

  expect(present.filter((decision) => !cited.has(decision))).toEqual([]);
  expect(citations.filter(({ decision }) => !present.includes(decision))).toEqual([]);
});

/** The lines of a difference that are in the file before it is applied, one text for each place. */
const before = (difference: string): string[] =>
  difference
    .split(/^@@.*\n/m)
    .slice(1)
    .map((place) => place.replaceAll(/^\+.*\n/gm, '').replaceAll(/^[ -]/gm, ''));

test('the differences of docs/first-change.md fit the code', () => {
  const differences = [...read('docs/first-change.md').matchAll(/^```diff\n--- a\/(.*)\n([\s\S]*?)^```$/gm)];
  const misfits = differences.flatMap(([, file, difference]) => {
    const code = read(file!);
    return before(difference!).filter((lines) => !code.includes(lines));
  });

  expect(differences.length).toBeGreaterThan(5);
  expect(misfits).toEqual([]);
});
