import { WebhookParams, WebhookQuery, WebhookWithFailures } from '../../../contracts/webhooks.ts';
import { getWebhookForCaller, getWebhookWithFailures } from '../../../services/webhooks/read-webhooks.ts';
import { route } from '../../route.ts';
import { serializeWebhook, serializeWebhookWithFailures } from './serialize-webhook.ts';

export const getWebhook = route(
  {
    operationId: 'getWebhook',
    method: 'get',
    path: '/api/webhooks/{webhook_id}',
    summary: 'Read a webhook',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    params: WebhookParams,
    query: WebhookQuery,
    response: WebhookWithFailures,
    errors: ['webhook_not_found', 'webhook_of_another_team'],
  },
  async (context) => {
    const { webhook_id } = context.params;
    if (context.query.include === undefined) return serializeWebhook(await getWebhookForCaller(context, webhook_id));
    const { webhook, lastStatusCode } = await getWebhookWithFailures(context, webhook_id);
    return serializeWebhookWithFailures(webhook, lastStatusCode);
  },
);
