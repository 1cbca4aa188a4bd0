import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { routes } from '../../src/http/routes.ts';
import { type Found, findInSchemas, findInSource, findInText } from './regular-expressions.ts';

const program = fileURLToPath(new URL('check-regular-expressions.ts', import.meta.url));

const written = ({ source, flags }: Omit<Found, 'where'>) => `/${source}/${flags}`;

/** A line for each that can take more than linear time. */
function problemsOf(all: Found[]): string[] {
  const places = Map.groupBy(all, written);
  const distinct = all.filter((one) => one.source !== undefined && places.get(written(one))![0] === one);
  const { stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    input: JSON.stringify(distinct.map(({ source, flags }) => [source, flags])),
    encoding: 'utf8',
  });
  if (!stdout) throw new Error(stderr);
  const times: string[] = JSON.parse(stdout);
  const slow = distinct.flatMap((one, at) =>
    times[at] === 'linear' ? [] : [`${written(one)} takes ${times[at]} time`],
  );
  const unknown = all.filter(({ source }) => source === undefined);
  return [...slow, ...unknown.map(({ where }) => `${where} builds one from text at run time: write a literal`)];
}

test('no regular expression in the source takes more than linear time', () => {
  const found = findInSource();

  expect(found.map(written)).toContain(String.raw`/^[\x21-\x7e]{1,128}$/`);
  expect(problemsOf(found)).toEqual([]);
});

test('no regular expression of a schema that checks a request takes more than linear time', () => {
  const found = findInSchemas(routes);

  expect(found.map(written)).toContain('/^[a-zA-Z0-9_-]{1,64}$/');
  expect(problemsOf(found)).toEqual([]);
});

test('a regular expression with more than linear time is found in a literal, a call, a constructor and a schema', () => {
  const code = [
    String.raw`/\r\nX-Request-Id:[ \t]*(.*?)[ \t]*\r\n/i.exec(text)`,
    String.raw`text.replace(/\s+$/, '')`,
    'const pattern = /^(a|a)*$/',
    String.raw`z.string().regex(/^(\w|\d)+$/)`,
    String.raw`text.split(/\s*,\s*/)`,
    '/^(?:a{1,50}){1,50}$/.test(text)',
    '/(?<=a+)b/.test(text)',
    "new RegExp('^(a+)+$', 'i')",
    "text.search('a.*b.*c')",
    'RegExp(word)',
    "globalThis.RegExp(word + '+')",
  ];

  const found = code.flatMap((where) => findInText(where).map((one) => ({ where, ...one })));

  expect(found.map(({ where }) => where)).toEqual(code);
  expect(problemsOf(found)).toHaveLength(code.length);
});
