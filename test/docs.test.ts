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

test('the list of decisions has every page with its title', () => {
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).sort();
  const rows = decisions.map((page) => {
    const file = page.slice('docs/decisions/'.length);
    return `| [${file.slice(0, 4)}](${file}) | ${read(page).split('\n')[0]!.slice('# '.length)} |`;
  });

  expect(read('docs/decisions/README.md').match(/^\| \[\d{4}\].*$/gm)).toEqual(rows);
});
