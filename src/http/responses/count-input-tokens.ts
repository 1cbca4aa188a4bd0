import { z } from 'zod';
import { route } from '../route.ts';
import { callBodyForm } from '../v1/call-route.ts';
import { countTokens, takeTokenCount } from '../v1/count-tokens.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { responseExample } from './examples.ts';
import { ResponseRequest } from './request/response-request.ts';
import { translateInput } from './request/to-response-call.ts';

const TokenCount = z
  .object({
    object: z.literal('response.input_tokens').describe('Always `response.input_tokens`'),
    input_tokens: z.int().describe('Tokens of the prompt, estimated'),
  })
  .meta({ id: 'ResponseInputTokens' });

export const countInputTokens = route(
  {
    operationId: 'countResponseInputTokens',
    method: 'post',
    path: '/v1/responses/input_tokens',
    summary: 'Count the tokens of the input of a response',
    description: 'An estimate, which learns from the calls of the model. It is no call, and costs nothing.',
    tag: 'Responses',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent' },
    body: {
      schema: ResponseRequest.meta({ example: responseExample.body }),
      form: callBodyForm,
    },
    response: TokenCount.meta({ example: { object: 'response.input_tokens', input_tokens: 60 } }),
    responseHeaders: ['X-Token-Count'],
    errors: ['model_not_found', 'response_not_found', 'item_not_found', 'previous_response_not_ready', 'rate_limited'],
  },
  async (context) => {
    await takeTokenCount(context);
    const counted = await translateInput(context as Parameters<typeof translateInput>[0]);
    const input_tokens = await countTokens(context, context.body.model, counted);
    return { object: 'response.input_tokens' as const, input_tokens };
  },
);
