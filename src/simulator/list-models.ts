import { catalogue } from './catalogue.ts';

/** LiteLLM stamps every model with this one second, so that the list never changes by itself. */
const created = 1_677_610_602;

/** GET /models, as OpenAI and LiteLLM answer it. */
export const listModels = () => ({
  data: catalogue.map(({ name }) => ({ id: name, object: 'model', created, owned_by: 'openai' })),
  object: 'list',
});
