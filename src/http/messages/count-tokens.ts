import { requireTeamCaller } from '../../services/caller.ts';
import { estimatePromptTokens } from '../../services/calls/estimate-tokens.ts';
import { getCallableModel } from '../../services/models/list-callable-models.ts';
import { takeLimits } from '../limits/take-limits.ts';
import { route } from '../route.ts';
import { messageExample } from './examples.ts';
import { TokenCount } from './message-response.ts';
import { CountTokensRequest } from './messages-request.ts';
import { messagesSurface } from './messages-surface.ts';
import { toMessageCall } from './model-request.ts';
import { resolveThread } from './thread.ts';

/** Agents count often, and pay nothing for it. Apart from the limits of calls. `spec 28.13` */
const perMinute = 600;
const windowMs = 60_000;

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
      form: { limit: (config) => config.CALL_BODY_LIMIT, depth: 64, values: 500_000, isForwarded: true },
    },
    response: TokenCount.meta({ example: { input_tokens: 60 } }),
    responseHeaders: ['request-id', 'X-Token-Count'],
    errors: ['model_not_found', 'thread_not_found', 'thread_field_not_allowed', 'rate_limited'],
  },
  async (context) => {
    const { deps, caller, requestId, setHeader } = context;
    setHeader('request-id', requestId);
    const { teamId } = requireTeamCaller(caller);
    await takeLimits(context, [{ key: `token-counts:${teamId}`, cost: 1, limit: perMinute, windowMs }]);
    const { body } = await resolveThread(context, context.body);
    const { size } = toMessageCall(body, null, context.sentMembers(), deps.config.MEDIA_URLS);
    const [input_tokens] = await Promise.all([
      estimatePromptTokens(deps, body.model, size),
      getCallableModel(context, body.model),
    ]);
    setHeader('X-Token-Count', 'estimated');
    return { input_tokens };
  },
);
