/** What a client of OpenAI may ask for, in whatever version: the first words of its paths. */
const resources = [
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
];

/** A wrong base URL adds or leaves out these. Azure's has the name of a deployment. */
const ofClients = new RegExp(
  `^(?:/(?:openai|api(?=/v1/)|v1|deployments/[^/]+))*/(?:${resources.join('|')})(?:/|$)`,
  'i',
);

/** Whether a path that does not exist is one of OpenAI's, whatever base URL its client was given. */
export const isForOpenAi = (path: string): boolean => ofClients.test(path.replaceAll(/\/{2,}/g, '/'));
