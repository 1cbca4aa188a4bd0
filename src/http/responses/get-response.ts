import { z } from 'zod';
import { namedEnum } from '../../contracts/fields.ts';
import { refuse } from '../../errors.ts';
import { watchNamed } from '../../services/responses/watch-response.ts';
import { type RequestContext, route } from '../route.ts';
import { whileAllowed } from '../stream/while-allowed.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { ResponseStream } from './answer/response-stream.ts';
import { responseEvents, responseExample } from './examples.ts';
import { Response } from './response.ts';
import { ResponseParams } from './response-params.ts';
import { getStored, responseNow, type StoredResponse } from './state/response-now.ts';

/** How long a client should wait before it asks again. */
const pollAfterMs = '1000';

const Query = z.object({
  stream: namedEnum('ResponseStreaming', ['true', 'false'])
    .optional()
    .describe('`true`: the events of the response, from the first one on'),
  starting_after: z.int().optional().describe('With `stream`: only the events after this number'),
});

export const getResponse = route(
  {
    operationId: 'getResponse',
    method: 'get',
    path: '/v1/responses/{response_id}',
    summary: 'Read a response, or its events',
    description:
      'The response as it is now, with what was written so far. With `stream=true` its events, running or ended, with the same numbers ' +
      'for every reader: a client that has lost a stream goes on after the last event that it has. A client that goes away changes nothing.',
    tag: 'Responses',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent', placeWith: { parameter: 'stream', place: 'callReads' } },
    secret: true,
    params: ResponseParams,
    query: Query,
    streams: responseEvents,
    response: Response.meta({ example: responseExample.response }),
    errors: ['response_not_found'],
  },
  async (context) => {
    const { params, query, setHeader } = context;
    const stored = await getStored(context, params.response_id);
    if (query.stream === 'true') return resume(context as RequestContext, stored, query.starting_after);
    const response = await responseNow(context, stored);
    if (response.status === 'queued' || response.status === 'in_progress')
      setHeader('openai-poll-after-ms', pollAfterMs);
    return response;
  },
);

/** The events after the one of this number. A reader that leaves changes nothing. `spec 29.17` */
async function resume(context: RequestContext, { call, record }: StoredResponse, sent = -1): Promise<ResponseStream> {
  if (context.deps.drain.isDraining()) throw refuse('unavailable');
  const watched = await watchNamed(context, call);
  const outputs = whileAllowed(context, (left) => watched.outputs(left));
  return new ResponseStream(record, outputs, { sent });
}
