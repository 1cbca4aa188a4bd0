import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Patterns of paths from the project's folder, or of package names. A rule is about imports by value, because a type costs nothing at run
 * time. A rule `withTypes` is about imports of types too.
 */
export type ImportRule = { rule: string; files: RegExp; only?: RegExp[]; never?: RegExp[]; withTypes?: true };

const pages = fileURLToPath(new URL('../../console/src/pages/', import.meta.url));
/** The folders of pages of the console, one for each noun. Each has a route, and the four with a list and a page about one thing have two. */
const consolePages = [...new Set(globSync('**/route.ts', { cwd: pages }).map((file) => file.split(/[/\\]/)[0]))];

/** `docs/architecture.md`, "Which way imports go": which files may import which. */
export const importRules: ImportRule[] = [
  {
    rule: 'domain: pure functions, with big.js as their only package',
    files: /^src\/domain\//,
    only: [/^src\/domain\//, /^big\.js$/],
  },
  { rule: 'errors.ts: the table of refusals depends on nothing', files: /^src\/errors\.ts$/, only: [] },
  {
    rule: 'concurrency: timeouts, retries and semaphores, independent of their callers',
    files: /^src\/concurrency\//,
    only: [/^src\/(concurrency|domain)\//, /^src\/errors\.ts$/, /^node:/],
  },
  {
    rule: 'holders: what each holder may have of a process, independent of what it is used for',
    files: /^src\/holders\//,
    only: [/^src\/(holders|concurrency|domain)\//, /^src\/(errors|config)\.ts$/],
  },
  {
    rule: 'contracts: schemas of requests and responses',
    files: /^src\/contracts\//,
    only: [/^src\/contracts\//, /^src\/domain\//, /^zod$/],
  },
  {
    rule: 'workflows: deterministic code, replayed from histories',
    files: /^workflows\//,
    only: [/^workflows\//, /^src\/domain\//, /^@temporalio\/workflow$/],
  },
  {
    rule: 'http: every paid effect passes through a workflow',
    files: /^src\/http\//,
    never: [/^activities\//, /^src\/upstream\//],
  },
  {
    rule: 'services: use cases, independent of HTTP',
    files: /^src\/services\//,
    never: [/^src\/http\//],
  },
  {
    rule: 'http: what serves every surface knows none of them',
    files: /^src\/http\/(stream|idempotency|pipeline|limits|body|validation|auth)\//,
    never: [/^src\/http\/(api|openai)\//],
  },
  {
    rule: 'http/openai: a surface, independent of the others',
    files: /^src\/http\/openai\//,
    never: [/^src\/http\/api\//],
  },
  {
    rule: 'calls: the life cycle of one call, independent of HTTP and of the upstream',
    files: /^src\/calls\//,
    never: [/^src\/(http|upstream|litellm|webhooks)\//, /^(workflows|activities)\//],
  },
  {
    rule: 'db: SQL and connections, independent of the code that uses them',
    files: /^src\/db\//,
    never: [/^src\/(http|calls|temporal|redis|upstream|litellm|webhooks|auth)\//, /^(workflows|activities)\//],
  },
  {
    rule: 'litellm: the management API, and the records of changes to send to it',
    files: /^src\/litellm\//,
    never: [/^src\/(http|calls|temporal|redis|webhooks)\//, /^(workflows|activities)\//],
  },
  ...['redis', 'upstream', 'webhooks', 'auth'].map((adapter) => ({
    rule: `${adapter}: an adapter of one outside system`,
    files: new RegExp(`^src/${adapter}/`),
    never: [new RegExp(`^src/(?!${adapter}/)(db|calls|temporal|redis|upstream|litellm|webhooks|auth|http)/`)],
  })),
  {
    rule: 'the gateway does not depend on the tools around it',
    files: /^(src|workflows|activities|migrations)\//,
    never: [/^(tools|test|scripts|bench)\//],
  },
  {
    rule: 'tools/simulator: a program of its own',
    files: /^tools\/simulator\//,
    never: [/^(src|workflows|activities|migrations|test|scripts|bench)\//],
  },
  {
    rule: 'tools/demo: a client of a running installation, which writes its history with the statements of the gateway',
    files: /^tools\/demo\//,
    never: [
      /^(workflows|activities|migrations|test|scripts|bench)\//,
      /^src\/(?!(domain|db)\/|auth\/secrets\.ts$)/,
      /^tools\/simulator\//,
    ],
  },
  {
    rule: 'tools/dev: starts the programs as processes, and reads settings and checks hosts as the gateway does',
    files: /^tools\/dev\//,
    never: [
      /^(workflows|activities|migrations|test|scripts|bench)\//,
      /^src\/(?!config(\/|\.ts$)|http\/served-hosts\.ts$)/,
      /^tools\/simulator\//,
    ],
  },
  {
    rule: 'console: runs in a browser, and takes only types from the gateway',
    files: /^console\/src\//,
    never: [
      /^(src|workflows|activities|tools|migrations|test|bench|scripts)\//,
      /^console\/build\//,
      /^zod$/,
      /^node:/,
    ],
  },
  {
    rule: 'console: requests, formats and the URL know no component',
    files: /^console\/src\/(api|format|live|preferences|shortcuts|url)\//,
    never: [/^console\/src\/(app|components|layout|pages)\//],
    withTypes: true,
  },
  {
    rule: 'console: primitives know neither a noun nor a page',
    files: /^console\/src\/components\/ui\//,
    never: [/^console\/src\/components\/(?!ui\/)/, /^console\/src\/(app|layout|pages)\//],
    withTypes: true,
  },
  {
    rule: 'console: what pages share about a noun knows no page',
    files: /^console\/src\/components\/(?!ui\/)/,
    never: [/^console\/src\/(app|layout|pages)\//],
    withTypes: true,
  },
  {
    rule: 'console: the layout knows no page',
    files: /^console\/src\/layout\//,
    never: [/^console\/src\/(app|pages)\//],
    withTypes: true,
  },
  ...consolePages.map((noun) => ({
    rule: `console: the pages of ${noun} know no other page`,
    files: new RegExp(`^console/src/pages/${noun}/`),
    never: [new RegExp(`^console/src/pages/(?!${noun}/)`), /^console\/src\/app\//],
    withTypes: true as const,
  })),
];
