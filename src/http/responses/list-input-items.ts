import { z } from 'zod';
import { JsonObject, namedEnum } from '../../contracts/fields.ts';
import { invalid } from '../../errors.ts';
import { readInput } from '../../services/calls/find-named-calls.ts';
import { route } from '../route.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import type { Item } from './request/items.ts';
import { ResponseParams } from './response-params.ts';
import { toInputItems } from './state/input-items.ts';
import { getStored } from './state/response-now.ts';

const Query = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('The most items of a page'),
  order: namedEnum('ItemOrder', ['asc', 'desc']).default('desc').describe('`desc`: the newest item first'),
  after: z.string().optional().describe('Id of the item before the page'),
});

const InputItems = z
  .object({
    object: z.literal('list').describe('Always `list`'),
    data: z.array(JsonObject).describe('The items of the whole conversation that the model received'),
    first_id: z.string().nullable().describe('Id of the first item of the page'),
    last_id: z.string().nullable().describe('Id of the last item of the page'),
    has_more: z.boolean().describe('Whether a page follows'),
  })
  .meta({ id: 'ResponseInputItems' });

const example = {
  object: 'list' as const,
  data: [
    {
      id: 'msg_9a64d0f721c84e3db5fa06e87b13c9d2_10000',
      type: 'message',
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: 'Revenue rose by 12 percent.' }],
    },
  ],
  first_id: 'msg_9a64d0f721c84e3db5fa06e87b13c9d2_10000',
  last_id: 'msg_9a64d0f721c84e3db5fa06e87b13c9d2_10000',
  has_more: false,
};

export const listInputItems = route(
  {
    operationId: 'listResponseInputItems',
    method: 'get',
    path: '/v1/responses/{response_id}/input_items',
    summary: 'List the items that a response was made from',
    tag: 'Responses',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { place: 'callReads' },
    secret: true,
    params: ResponseParams,
    query: Query,
    response: InputItems.meta({ example }),
    errors: ['response_not_found'],
  },
  async (context) => {
    const { params, query } = context;
    const { call, record } = await getStored(context, params.response_id);
    const items = JSON.parse((await readInput(context, call.call_id)) ?? '[]') as Item[];
    const all = toInputItems(record, items);
    if (query.order === 'desc') all.reverse();
    const from = query.after === undefined ? 0 : all.findIndex(({ id }) => id === query.after) + 1;
    if (query.after !== undefined && from === 0) throw invalid(['query', 'after'], 'Input should be the id of an item');
    const data = all.slice(from, from + query.limit);
    return {
      object: 'list' as const,
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: from + data.length < all.length,
    };
  },
);
