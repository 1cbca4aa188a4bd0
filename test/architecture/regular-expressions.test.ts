import { check } from 'recheck';
import { routes } from '../../src/http/routes/index.ts';
import { type Found, findInSchemas, findInSource, findInText } from './regular-expressions.ts';

// In a thread of this process: neither with a program that the library brings, nor in the slower context of the tests.
process.env.RECHECK_BACKEND = 'worker';

/** Bounded by counts and not by time, so that a busy machine comes to the same result. */
const thoroughness = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  mutationTimeout: null,
  attackTimeout: null,
  recallTimeout: -1,
  incubationLimit: 3_000,
  attackLimit: 1_000_000,
  maxAttackStringSize: 5_000,
  maxGeneStringSize: 1_000,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  mutationSize: 20,
  crossoverSize: 10,
  maxIteration: 2,
};

const written = ({ source, flags }: Omit<Found, 'where'>) => `/${source}/${flags}`;

/** What is wrong with it; undefined if it takes linear time at most, whatever the text. */
async function problemOf({ source, flags }: Omit<Found, 'where'>): Promise<string | undefined> {
  if (source === undefined) return 'is made of text while the program runs: write a literal';
  const found = await check(source, flags, thoroughness);
  if (found.status === 'safe') return undefined;
  return `takes ${found.status === 'vulnerable' ? found.complexity.summary : 'unknown'} time`;
}

async function problemsOf(all: Found[]): Promise<string[]> {
  const problems: string[] = [];
  for (const [text, found] of Map.groupBy(all, written)) {
    const problem = await problemOf(found[0]!);
    if (problem) problems.push(`${text} of ${found.map(({ where }) => where).join(', ')} ${problem}`);
  }
  return problems;
}

test('no regular expression in the source takes more than linear time', async () => {
  const found = findInSource();

  expect(found.map(written)).toContain(String.raw`/^[\x21-\x7e]{1,128}$/`);
  expect(await problemsOf(found)).toEqual([]);
});

test('no regular expression of a schema that checks a request takes more than linear time', async () => {
  const found = findInSchemas(routes);

  expect(found.map(written)).toContain('/^[a-zA-Z0-9_-]{1,64}$/');
  expect(await problemsOf(found)).toEqual([]);
});

test.each([
  String.raw`/\r\nX-Request-Id:[ \t]*(.*?)[ \t]*\r\n/i.exec(text)`,
  String.raw`text.replace(/\s+$/, '')`,
  'const pattern = /^(a|a)*$/',
  String.raw`z.string().regex(/^(\w|\d)+$/)`,
  String.raw`text.split(/\s*,\s*/)`,
  '/^(?:a{1,50}){1,50}$/.test(text)',
  '/(?<=a+)b/.test(text)',
  "new RegExp('^(a+)+$', 'i')",
  'RegExp(word)',
  "globalThis.RegExp(word + '+')",
  "text.search('a.*b.*c')",
])('%s is found, and refused', async (code) => {
  const [found, ...more] = findInText(code);

  expect(more).toEqual([]);
  expect(await problemOf(found!)).toBeDefined();
});
