import { z } from 'zod';
import { deleteResponse as deleteStored } from '../../services/responses/delete-response.ts';
import { route } from '../route.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { callOfResponse } from './answer/item-ids.ts';
import { ResponseParams } from './response-params.ts';
import { getStored } from './state/response-now.ts';

const Deleted = z
  .object({
    id: z.string().describe('Id of the response'),
    object: z.literal('response').describe('Always `response`'),
    deleted: z.literal(true).describe('Always true'),
  })
  .meta({ id: 'DeletedResponse' });

export const deleteResponse = route(
  {
    operationId: 'deleteResponse',
    method: 'delete',
    path: '/v1/responses/{response_id}',
    summary: 'Delete what is stored of a response',
    description: 'Request and answer are deleted. The job, its figures and the ledger stay.',
    tag: 'Responses',
    surface: openAiSurface,
    access: { audience: ['team'] },
    params: ResponseParams,
    response: Deleted.meta({
      example: { id: 'resp_9a64d0f721c84e3db5fa06e87b13c9d2', object: 'response', deleted: true },
    }),
    errors: ['response_not_found', 'response_in_progress'],
  },
  async (context) => {
    const { response_id: id } = context.params;
    await getStored(context, id);
    await deleteStored(context, id, callOfResponse(id));
    return { id, object: 'response' as const, deleted: true as const };
  },
);
