import { readFileSync } from 'node:fs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const page = read('docs/client-libraries.md');

/** Where `npm run test:clients` has the lines of each client. */
const sources: Record<string, string[]> = {
  'openai for Node.js': ['node/openai-client.mjs', 'node/openai.mjs'],
  'openai for Python': ['python/openai_options.py', 'python/openai_client.py'],
  'AI SDK': ['node/ai-sdk.mjs'],
  'LangChain for Node.js': ['node/langchain.mjs'],
  'LangChain for Python': ['python/langchain_client.py'],
  'Agents SDK for Node.js': ['node/agents.mjs'],
  'Agents SDK for Python': ['python/agents_client.py'],
};

const blockAfter = (title: string): string =>
  page
    .split(title)[1]!
    .split('```')[1]!
    .replace(/^\w+\n/, '');

/** The values of a reader as the variables that a test has in their place. */
const withVariables = (line: string): string =>
  line
    .replace(/^(?:const )?\w+ = /, '')
    .replace("'https://gateway.example.com/v1'", 'base_url')
    .replace('"https://gateway.example.com/v1"', 'o.base_url')
    .replace('process.env.TEAM_KEY', 'api_key')
    .replace('os.environ["TEAM_KEY"]', 'o.api_key')
    .replace("model: 'smart'", 'model')
    .replace('model="smart"', 'model=o.model')
    .trim();

/** The parts of a line that stand for themselves: an import, an option, a constructor. */
const partsOf = (line: string): string[] =>
  line.startsWith('import ') || line.startsWith('from ')
    ? [line]
    : line
        .split(/, (?![^{]*\} from)|[{}] ?/)
        .map((part) => part.replace(/[,;)}]+$/, '').trim())
        .filter((part) => part.length > 2);

test.each(Object.entries(sources))('the lines for %s are those that test:clients runs (clients 8)', (title, files) => {
  const tested = files.map((file) => read(`test/clients/${file}`)).join('\n');
  const [setUp, use] = blockAfter(`**${title}**`).split('\n\n');

  const parts = setUp!.split('\n').flatMap((line) => partsOf(withVariables(line)));
  const called = [...use!.matchAll(/(\.?\w+)\(/g)].map(([, name]) => name!).filter((name) => name !== 'gateway');

  expect(parts.length).toBeGreaterThan(2);
  expect(parts.filter((part) => !tested.includes(part))).toEqual([]);
  expect(called.filter((name) => !tested.includes(name))).toEqual([]);
});

test('the story for TypeScript is that of its README, which is run (clients 8)', () => {
  const [, story] = /^```ts\n([\s\S]*?)^```$/m.exec(read('clients/typescript/README.md'))!;

  expect(blockAfter('### TypeScript')).toBe(story);
});
