import type { Request } from 'express';

/** What a client of OpenAI may ask for, in whatever version: the first words of its paths. */
const resources = new Set([
  'assistants',
  'audio',
  'batches',
  'chat',
  'completions',
  'containers',
  'conversations',
  'embeddings',
  'engines',
  'evals',
  'files',
  'fine_tuning',
  'images',
  'models',
  'moderations',
  'realtime',
  'responses',
  'threads',
  'uploads',
  'vector_stores',
  'videos',
]);

/** How many parts of a path a wrong base URL has added in front of `index`. Azure's has the name of a deployment. */
function addedAt(parts: readonly string[], index: number): number {
  const part = parts[index];
  if (part === 'openai' || part === 'v1') return 1;
  if (part === 'api' && parts[index + 1] === 'v1') return 1;
  return part === 'deployments' ? 2 : 0;
}

/** Whether a path that does not exist is one of OpenAI's, whatever base URL its client was given. */
export function isForOpenAi(path: string): boolean {
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  let index = 0;
  while (addedAt(parts, index) > 0) index += addedAt(parts, index);
  return resources.has(parts[index] ?? '');
}

/** What OpenAI has under a path that exists here, and this service does not offer. `spec 29.1` */
export const isNotOffered = ({ path, headers }: Pick<Request, 'path' | 'headers'>): boolean =>
  path === '/v1/responses/compact' || (path === '/v1/responses' && /websocket/i.test(headers.upgrade ?? ''));
