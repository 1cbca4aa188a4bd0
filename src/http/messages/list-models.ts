import { z } from 'zod';
import type { CallableModel } from '../../db/models/list-callable-models.ts';
import { invalid } from '../../errors.ts';
import { getCallableModel, listCallableModels } from '../../services/models/list-callable-models.ts';
import { route } from '../route.ts';
import { ModelParams } from '../v1/model-params.ts';
import { messagesSurface } from './messages-surface.ts';

/** The models of a team in the form of Anthropic, for requests with its header. `spec 28.15` */

const Model = z
  .object({
    type: z.literal('model').describe('Always `model`'),
    id: z.string().describe('Name of the model alias or model group: the `model` of a message'),
    display_name: z.string().describe('The same'),
    created_at: z.string().describe('When it was created'),
  })
  .meta({ id: 'MessagesModel' });

const ModelPage = z
  .object({
    data: z.array(Model).describe('The models that the team can call now, sorted by id'),
    has_more: z.boolean().describe('Whether there are more in this direction'),
    first_id: z.string().nullable().describe('Id of the first one of this page'),
    last_id: z.string().nullable().describe('Id of the last one of this page'),
  })
  .meta({ id: 'MessagesModelPage' });

const maxLimit = 1_000;
const usualLimit = 20;

const PageQuery = z.object({
  limit: z.int().min(1).max(maxLimit).optional().describe('Models of a page: 1 to 1,000; 20 where absent'),
  after_id: z.string().optional().describe('The page begins after this one'),
  before_id: z.string().optional().describe('The page ends before this one'),
});

const serialize = ({ name, created_at }: CallableModel): z.input<typeof Model> => ({
  type: 'model',
  id: name,
  display_name: name,
  created_at: created_at.toISOString(),
});

const example = {
  type: 'model' as const,
  id: 'chat-large',
  display_name: 'chat-large',
  created_at: '2026-01-31T09:30:00.000Z',
};

const common = {
  method: 'get',
  tag: 'Anthropic-compatible',
  surface: messagesSurface,
  access: { audience: ['team'] },
  limits: { rate: 'frequent' },
  withHeader: 'anthropic-version',
} as const;

type PageQuery = z.output<typeof PageQuery>;

function indexOf(models: readonly CallableModel[], name: string, parameter: keyof PageQuery): number {
  const index = models.findIndex((model) => model.name === name);
  if (index < 0) throw invalid(['query', parameter], 'There is no such model');
  return index;
}

/** One page. `before_id` reads towards the beginning: the page is the end of what comes before. */
function pageOf(models: readonly CallableModel[], { limit = usualLimit, after_id, before_id }: PageQuery) {
  const from = after_id === undefined ? 0 : indexOf(models, after_id, 'after_id') + 1;
  const until = before_id === undefined ? models.length : indexOf(models, before_id, 'before_id');
  const inside = models.slice(from, until);
  const page = before_id === undefined || after_id !== undefined ? inside.slice(0, limit) : inside.slice(-limit);
  return { page, has_more: inside.length > page.length };
}

export const listModelsForMessages = route(
  {
    ...common,
    operationId: 'listModelsForMessages',
    path: '/v1/models',
    summary: 'List the models that the team can call, in the form of Anthropic',
    query: PageQuery,
    response: ModelPage.meta({
      example: { data: [example], has_more: false, first_id: example.id, last_id: example.id },
    }),
  },
  async (context) => {
    context.setHeader('request-id', context.requestId);
    const { page, has_more } = pageOf(await listCallableModels(context), context.query);
    return {
      data: page.map(serialize),
      has_more,
      first_id: page[0]?.name ?? null,
      last_id: page.at(-1)?.name ?? null,
    };
  },
);

export const getModelForMessages = route(
  {
    ...common,
    operationId: 'getModelForMessages',
    path: '/v1/models/{+model}',
    summary: 'Read a model that the team can call, in the form of Anthropic',
    params: ModelParams,
    response: Model.meta({ example }),
    errors: ['model_not_found'],
  },
  async (context) => {
    context.setHeader('request-id', context.requestId);
    return serialize(await getCallableModel(context, context.params.model));
  },
);
