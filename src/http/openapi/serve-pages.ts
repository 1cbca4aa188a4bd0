import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import { serveFile, staticFile } from '../static-file.ts';

const folder = join(import.meta.dirname, '../../../docs');

/** The pages for users and operators, in the order in which one reads them. `/llms.txt` lists these. */
const forUsers = [
  'concepts.md',
  'costs.md',
  'api.md',
  'openai.md',
  'agents.md',
  'webhooks.md',
  'moving-from-litellm.md',
  'self-hosting.md',
  'settings.md',
  'limits.md',
  'operations.md',
  'runbooks.md',
  'troubleshooting.md',
  'glossary.md',
  'spec/README.md',
];

/** The heading of a page and its first sentence. */
function summarize(page: string): { title: string; text: string } {
  const [title = '', text = ''] = page.split('\n\n');
  const [sentence = ''] = text.replaceAll('\n', ' ').split('. ');
  return { title: title.replace('# ', ''), text: sentence.replace(/\.$/, '') };
}

/** The form of https://llmstxt.org. The addresses are relative, so that they hold behind a proxy that removes a path. */
function listPages(pages: ReadonlyMap<string, string>): string {
  const lines = forUsers.flatMap((name) => {
    const page = pages.get(name);
    if (page === undefined) return [];
    const { title, text } = summarize(page);
    return [`- [${title}](docs/${name}): ${text}`];
  });
  return [
    '# Job gateway',
    '',
    '> A gateway between products and language models that bills outcomes: a job has as many LLM calls as it takes, and costs one credit when it succeeds.',
    '',
    'The interface is described by [openapi.json](openapi.json).',
    '',
    '## Pages',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** `/llms.txt`, and the pages of the documentation as Markdown, like `/docs/api.md`. `spec 14.7` */
export function servePages(app: Express): void {
  const names = globSync('**/*.md', { cwd: folder });
  const pages = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const list = staticFile('text', listPages(pages));
  serveFile(app, '/llms.txt', () => list);
  for (const [name, page] of pages) {
    const file = staticFile('md', page);
    serveFile(app, `/docs/${name}`, () => file);
  }
}
