import { route } from '../route.ts';
import { callBodyForm } from '../v1/call-route.ts';
import { countTokens, takeTokenCount } from '../v1/count-tokens.ts';
import { messageExample } from './examples.ts';
import { TokenCount } from './message-response.ts';
import { CountTokensRequest } from './messages-request.ts';
import { messagesSurface } from './messages-surface.ts';
import { toMessageCall } from './model-request.ts';
import { resolveThread } from './thread.ts';

export const countMessageTokens = route(
  {
    operationId: 'countMessageTokens',
    method: 'post',
    path: '/v1/messages/count_tokens',
    summary: 'Count the tokens of a message',
    description: 'An estimate, which learns from the calls of the model. It is no call, and costs nothing.',
    tag: 'Anthropic-compatible',
    surface: messagesSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent' },
    body: {
      schema: CountTokensRequest.meta({ example: messageExample.counted }),
      form: callBodyForm,
    },
    response: TokenCount.meta({ example: { input_tokens: 60 } }),
    responseHeaders: ['request-id', 'X-Token-Count'],
    errors: ['model_not_found', 'thread_not_found', 'thread_field_not_allowed', 'rate_limited'],
  },
  async (context) => {
    context.setHeader('request-id', context.requestId);
    await takeTokenCount(context);
    const { body } = await resolveThread(context, context.body);
    const counted = toMessageCall(body, null, context.sentMembers(), context.deps.config.MEDIA_URLS);
    return { input_tokens: await countTokens(context, body.model, counted) };
  },
);
