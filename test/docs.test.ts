import { existsSync, globSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
const named = /`((?:src|activities|workflows|migrations|test|bench|scripts|docs)\/[^`*…<{ ]+)`/g;

test.each(pages)('what %s names is there', (page) => {
  const paths = [...readFileSync(new URL(page, root), 'utf8').matchAll(named)].map(([, path]) => path!);

  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
