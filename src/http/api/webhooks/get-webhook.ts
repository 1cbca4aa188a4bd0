import { WebhookParams, WebhookQuery, WebhookWithFailures } from '../../../contracts/webhooks.ts';
import { readLastStatusCode } from '../../../db/webhooks/list-webhooks.ts';
import { route } from '../../route.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';
import { serializeWebhook } from './support/serialize-webhook.ts';

export const getWebhook = route(
  {
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
  async ({ deps, caller, params, query }) => {
    const webhook = await getWebhookForCaller(deps.database.entities(), caller, params.webhook_id);
    if (query.include === undefined) return serializeWebhook(webhook);
    return {
      ...serializeWebhook(webhook),
      failing_since: webhook.failing_since?.toISOString() ?? null,
      last_status_code: await readLastStatusCode(deps.database, webhook.webhook_id),
    };
  },
);
