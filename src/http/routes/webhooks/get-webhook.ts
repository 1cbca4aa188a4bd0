import { WebhookAnswer, WebhookParams } from '../../../contracts/webhooks.ts';
import { route } from '../../route.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';
import { serializeWebhook } from './support/serialize-webhook.ts';

export const getWebhook = route(
  {
    method: 'get',
    path: '/api/webhooks/{webhook_id}',
    summary: 'Read a webhook',
    tag: 'Webhooks',
    auth: ['team', 'admin'],
    params: WebhookParams,
    response: WebhookAnswer,
    errors: ['webhook_not_found', 'webhook_of_another_team'],
  },
  async ({ deps, caller, params }) =>
    serializeWebhook(await getWebhookForCaller(deps.database.entities(), caller, params.webhook_id)),
);
