import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(`${project}/${file}`, 'utf8');

const chapters = globSync('docs/spec/*.md', { cwd: project });
const anchors = chapters.flatMap((file) => [...read(file).matchAll(/<a id="([\d.]+)"><\/a>/g)].map(([, id]) => id!));

/** What may cite a clause. */
const files = globSync('{src,workflows,activities,migrations,test,bench,scripts,docs}/**/*.{ts,mjs,md}', {
  cwd: project,
  exclude: ['test/replay/histories/**'],
}).concat('README.md', 'CONTRIBUTING.md');

const citationsIn = (file: string) => [...read(file).matchAll(/`spec (\d+(?:\.\d+)*)`/g)].map(([, id]) => id!);
const linksIn = (file: string) => [...read(file).matchAll(/\]\(([\w./-]*\.md)?#(\d[\d.]*)\)/g)].map(([, , id]) => id!);

test('each clause of the specification has one anchor', () => {
  expect(anchors.length).toBeGreaterThan(100);
  expect(anchors.filter((id, place) => anchors.indexOf(id) !== place)).toEqual([]);
});

test('each citation of a clause, and each link to one, leads to a clause that exists', () => {
  const known = new Set(anchors);
  const cited = files.flatMap((file) => citationsIn(file).map((id) => ({ file, id })));
  const linked = chapters.flatMap((file) => linksIn(file).map((id) => ({ file, id })));

  expect(cited.length).toBeGreaterThan(100);
  expect(linked.length).toBeGreaterThan(50);
  expect([...cited, ...linked].filter(({ id }) => !known.has(id))).toEqual([]);
});

test('nothing cites a document that is not in the repository', () => {
  const absent = /\b(rulings|interface|design)\.md\b/;
  const own = 'test/architecture/citations.test.ts';

  expect(files.filter((file) => file !== own && absent.test(read(file)))).toEqual([]);
});
