import { cancelResponse as cancel } from '../../services/responses/cancel-response.ts';
import { route } from '../route.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { responseExample } from './examples.ts';
import { Response } from './response.ts';
import { ResponseParams } from './response-params.ts';
import { getStored, responseNow } from './state/response-now.ts';

export const cancelResponse = route(
  {
    operationId: 'cancelResponse',
    method: 'post',
    path: '/v1/responses/{response_id}/cancel',
    summary: 'Cancel a response that is made in the background',
    description: 'It ends with what was written so far. One that has ended stays as it is.',
    tag: 'Responses',
    surface: openAiSurface,
    access: { audience: ['team'] },
    params: ResponseParams,
    response: Response.meta({ example: responseExample.response }),
    errors: ['response_not_found', 'response_not_in_background'],
  },
  async (context) => {
    const { response_id: id } = context.params;
    await cancel(context, (await getStored(context, id)).call);
    return responseNow(context, await getStored(context, id));
  },
);
