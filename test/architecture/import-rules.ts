import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A folder, which ends with a slash, a file, a package, or `node:` for every module of Node.js. */
type Name = string;

export interface ImportRule {
  rule: string;
  /** Whose imports the rule is about. */
  files: Name[];
  /** Nothing else may be imported. */
  only?: Name[];
  never?: Name[];
  /** What may be imported all the same. */
  except?: Name[];
  /** Types may come from anywhere. Otherwise the rule is about types too. */
  byValue?: true;
}

const folders = (...names: string[]): Name[] => names.map((name) => `src/${name}/`);

/** The folders in a folder. */
const foldersIn = (parent: Name): Name[] =>
  readdirSync(fileURLToPath(new URL(`../../${parent}`, import.meta.url)), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}${name}/`);

const consoleFolders = (...names: string[]): Name[] => names.map((name) => `console/src/${name}/`);
const nounsOfComponents = foldersIn('console/src/components/').filter((folder) => !folder.endsWith('/ui/'));

/** The folders of `src/http` that have routes of one form. */
const surfaces = ['api', 'openai', 'messages', 'responses', 'embeddings'];

/** One outside system each. */
const adapters = ['redis', 'upstream', 'webhook-delivery', 'auth', 'tracing', 'oidc'];
const effects = ['workflows/', 'activities/'];

/** `docs/architecture.md`, "Which way imports go": which files may import which. */
export const importRules: ImportRule[] = [
  {
    rule: 'domain: pure functions, with big.js as their only package',
    files: ['src/domain/'],
    only: ['src/domain/', 'big.js'],
  },
  {
    rule: 'clients/typescript: a package of its own, which runs wherever there is fetch',
    files: ['clients/typescript/src/'],
    only: ['clients/typescript/src/', 'eventsource-parser'],
  },
  { rule: 'errors.ts: the table of refusals depends on nothing', files: ['src/errors.ts'], only: [] },
  {
    rule: 'concurrency: timeouts, retries and semaphores, independent of their callers',
    files: ['src/concurrency/'],
    only: [...folders('concurrency', 'domain'), 'src/errors.ts', 'src/log.ts', 'node:'],
  },
  {
    rule: 'holders: what each holder may have of a process, independent of what it is used for',
    files: ['src/holders/'],
    only: [...folders('holders', 'concurrency', 'domain'), 'src/errors.ts', 'src/config.ts', 'ipaddr.js'],
  },
  {
    rule: 'contracts: schemas of requests and responses',
    files: ['src/contracts/'],
    only: [...folders('contracts', 'domain'), 'zod'],
  },
  {
    rule: 'workflows: deterministic code, replayed from histories',
    files: ['workflows/'],
    only: ['workflows/', 'src/domain/', '@temporalio/workflow'],
  },
  {
    rule: 'activities: effects, independent of HTTP and of the worker that executes them',
    files: ['activities/'],
    never: folders('http', 'server', 'worker'),
  },
  {
    rule: 'http: every paid effect passes through a workflow',
    files: ['src/http/'],
    never: ['activities/', 'src/upstream/', 'src/server/', 'src/worker/'],
  },
  {
    rule: 'services: use cases, free of HTTP',
    files: ['src/services/'],
    never: [...folders('http', 'server', 'worker', 'upstream'), 'activities/', 'express', 'node:http'],
  },
  {
    rule: 'http: what serves every surface knows none of them',
    files: ['auth', 'body', 'idempotency', 'limits', 'pipeline', 'stream', 'validation'].map(
      (part) => `src/http/${part}/`,
    ),
    never: surfaces.map((name) => `src/http/${name}/`),
  },
  {
    rule: 'http/v1: what the surfaces under /v1 share knows none of them',
    files: folders('http/v1'),
    never: surfaces.map((name) => `src/http/${name}/`),
  },
  ...surfaces.map((surface) => ({
    rule: `http/${surface}: a surface, independent of the others`,
    files: [`src/http/${surface}/`],
    never: surfaces.filter((other) => other !== surface).map((other) => `src/http/${other}/`),
  })),
  {
    rule: 'routes: read the input, call a use case, serialize; no transaction, no entity, no audit entry',
    files: surfaces.map((name) => `src/http/${name}/`),
    never: ['src/db/entities/', 'src/db/audit/write-audit-entry.ts', 'src/db/connection/', '@mikro-orm/'],
  },
  {
    rule: 'routes: statements are executed and adapters are called by use cases, of which routes know the rows',
    files: surfaces.map((name) => `src/http/${name}/`),
    never: folders('db', 'temporal', 'litellm', 'health', 'server', 'worker', ...adapters),
    byValue: true,
  },
  {
    rule: 'calls: the life cycle of one call, independent of HTTP and of the upstream',
    files: ['src/calls/'],
    never: [...folders('http', 'services', 'upstream', 'litellm', 'webhook-delivery'), ...effects],
  },
  {
    rule: 'db: SQL and connections, independent of the code that uses them',
    files: ['src/db/'],
    never: [...folders('http', 'services', 'calls', 'health', 'temporal', 'litellm', ...adapters), ...effects],
  },
  {
    rule: 'litellm: the management API, and the records of changes to send to it',
    files: ['src/litellm/'],
    never: [...folders('http', 'services', 'calls', 'health', 'temporal', 'redis', 'webhook-delivery'), ...effects],
  },
  {
    rule: 'temporal: the connection and the commands to workflows, which records can resume',
    files: ['src/temporal/'],
    never: [
      ...folders('http', 'services', 'calls', 'health', 'redis', 'upstream', 'litellm', 'webhook-delivery'),
      'activities/',
    ],
  },
  ...adapters.map((adapter) => ({
    rule: `${adapter}: an adapter of one outside system`,
    files: folders(adapter),
    never: folders('http', 'services', 'calls', 'health', 'db', 'temporal', 'litellm', ...adapters),
    except: folders(adapter),
  })),
  {
    rule: 'tracing: what the others import of it loads nothing of OpenTelemetry',
    files: ['src/tracing/open-tracing.ts', 'src/tracing/tracing.ts', 'src/tracing/gen-ai.ts'],
    only: ['src/tracing/', 'src/config.ts', 'src/domain/', 'src/log.ts'],
  },
  {
    rule: 'health: whether the adapters respond, independent of who wants to know',
    files: ['src/health/'],
    never: [...folders('http', 'services', 'calls', 'server', 'worker'), ...effects],
  },
  {
    rule: 'server: connections of node:http, without anything outside of the process',
    files: ['src/server/'],
    never: [...folders('services', 'calls', 'db', 'temporal', 'litellm', 'worker', ...adapters), ...effects],
  },
  {
    rule: 'worker: runs workflows and activities, and serves no API',
    files: ['src/worker/'],
    never: folders('http', 'services', 'calls'),
  },
  {
    rule: 'the gateway does not depend on the tools around it',
    files: ['src/', 'workflows/', 'activities/', 'migrations/'],
    never: ['tools/', 'test/', 'scripts/', 'bench/'],
  },
  {
    rule: 'tools/simulator: a program of its own',
    files: ['tools/simulator/'],
    never: ['src/', ...effects, 'migrations/', 'test/', 'scripts/', 'bench/'],
  },
  {
    rule: 'tools/demo: a client of a running installation, which writes its history with the statements of the gateway',
    files: ['tools/demo/'],
    never: ['src/', ...effects, 'migrations/', 'test/', 'scripts/', 'bench/', 'tools/simulator/'],
    except: ['src/domain/', 'src/db/', 'src/auth/secrets.ts'],
  },
  {
    rule: 'tools/dev: starts the programs as processes, and reads settings and checks hosts as the gateway does',
    files: ['tools/dev/'],
    never: ['src/', ...effects, 'migrations/', 'test/', 'scripts/', 'bench/', 'tools/simulator/'],
    except: ['src/config/', 'src/config.ts', 'src/http/served-hosts.ts'],
    byValue: true,
  },
  {
    rule: 'console: runs in a browser, and takes only types from the gateway',
    files: ['console/src/'],
    never: [
      'src/',
      ...effects,
      'tools/',
      'migrations/',
      'test/',
      'bench/',
      'scripts/',
      'console/build/',
      'zod',
      'node:',
    ],
    byValue: true,
  },
  {
    rule: 'console: requests, formats and the URL know no component',
    files: consoleFolders('api', 'format', 'live', 'preferences', 'shortcuts', 'url'),
    never: consoleFolders('app', 'components', 'layout', 'pages'),
  },
  {
    rule: 'console: primitives know neither a noun nor a page',
    files: ['console/src/components/ui/'],
    never: consoleFolders('app', 'components', 'layout', 'pages'),
    except: ['console/src/components/ui/'],
  },
  {
    rule: 'console: what pages share about a noun knows no page',
    files: nounsOfComponents,
    never: consoleFolders('app', 'layout', 'pages'),
  },
  {
    rule: 'console: the layout knows no page',
    files: consoleFolders('layout'),
    never: consoleFolders('app', 'pages'),
  },
  ...foldersIn('console/src/pages/').map((noun) => ({
    rule: `console: the pages in ${noun} know no other page`,
    files: [noun],
    never: consoleFolders('app', 'pages'),
    except: [noun],
  })),
];

/** Whether a file or a package is one of these, or belongs to one of them. */
export const isOneOf = (names: readonly Name[], imported: string): boolean =>
  names.some((name) => imported === name || imported.startsWith(/[/:]$/.test(name) ? name : `${name}/`));
