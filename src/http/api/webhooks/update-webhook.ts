import { WebhookParams, WebhookResponse, WebhookUpdate } from '../../../contracts/webhooks.ts';
import { updateWebhook as update } from '../../../services/webhooks/update-webhook.ts';
import { route } from '../../route.ts';
import { serializeWebhook } from './serialize-webhook.ts';

export const updateWebhook = route(
  {
    operationId: 'updateWebhook',
    method: 'patch',
    path: '/api/webhooks/{webhook_id}',
    summary: 'Change a webhook',
    description:
      'Omitted fields are not changed. An `auth_header` of null removes it; the stars that answers show in its place count as ' +
      'omitted. It belongs to the scheme, host and port that it was set for: a `webhook_url` with another one removes it, unless ' +
      'the same request sets a new one. A changed URL and a switch-on begin a new count of failures.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    params: WebhookParams,
    body: { schema: WebhookUpdate.meta({ example: { events: ['job.failed'] } }) },
    response: WebhookResponse.meta({ example: { events: ['job.failed'] } }),
    errors: ['webhook_not_found', 'webhook_of_another_team'],
  },
  async (context) => serializeWebhook(await update(context, context.params.webhook_id, context.body)),
);
