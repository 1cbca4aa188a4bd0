import { z } from 'zod';
import { requireTeamCaller } from '../../services/caller.ts';
import { estimatePromptTokens } from '../../services/calls/estimate-tokens.ts';
import { getCallableModel } from '../../services/models/list-callable-models.ts';
import { takeLimits } from '../limits/take-limits.ts';
import { route } from '../route.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { responseExample } from './examples.ts';
import { ResponseRequest } from './request/response-request.ts';
import { translateInput } from './request/to-response-call.ts';

/** Agents count often, and pay nothing for it. Apart from the limits of calls, and together with those of Messages. `spec 28.13` */
const perMinute = 600;
const windowMs = 60_000;

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
      form: { limit: (config) => config.CALL_BODY_LIMIT, depth: 64, values: 500_000, isForwarded: true },
    },
    response: TokenCount.meta({ example: { object: 'response.input_tokens', input_tokens: 60 } }),
    responseHeaders: ['X-Token-Count'],
    errors: ['model_not_found', 'response_not_found', 'item_not_found', 'previous_response_not_ready', 'rate_limited'],
  },
  async (context) => {
    const { body, deps, caller, setHeader } = context;
    const { teamId } = requireTeamCaller(caller);
    await takeLimits(context, [{ key: `token-counts:${teamId}`, cost: 1, limit: perMinute, windowMs }]);
    const { size } = await translateInput(context as Parameters<typeof translateInput>[0]);
    const [input_tokens] = await Promise.all([
      estimatePromptTokens(deps, body.model, size),
      getCallableModel(context, body.model),
    ]);
    setHeader('X-Token-Count', 'estimated');
    return { object: 'response.input_tokens' as const, input_tokens };
  },
);
