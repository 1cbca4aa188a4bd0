import { hiddenAuthHeader, WebhookParams, WebhookResponse, WebhookUpdate } from '../../../contracts/webhooks.ts';
import { sealContext } from '../../../webhook-delivery/sign-webhook.ts';
import { haveSameOrigin } from '../../../webhook-delivery/webhook-url.ts';
import { route } from '../../route.ts';
import { auditWebhook } from './support/audit-webhook.ts';
import { lockOwnWebhook } from './support/get-webhook-for-caller.ts';
import { publishWebhook } from './support/publish-webhook.ts';
import { requireWebhookUrl } from './support/require-webhook-url.ts';
import { serializeWebhook } from './support/serialize-webhook.ts';

export const updateWebhook = route(
  {
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
    body: { schema: WebhookUpdate },
    response: WebhookResponse,
    errors: ['webhook_not_found', 'webhook_of_another_team'],
    example: { body: { events: ['job.failed'] }, response: { events: ['job.failed'] } },
  },
  async (context) => {
    const { deps, caller, params, body } = context;
    const { webhook_url } = body;
    if (typeof webhook_url === 'string') requireWebhookUrl(deps.config, webhook_url);
    const changed = await deps.database.transaction(async (entities) => {
      const webhook = await lockOwnWebhook(entities, caller, params.webhook_id);
      const { webhook_id } = webhook;
      if (webhook_url || body.is_active === 1) webhook.failing_since = null;
      const before = webhook.webhook_url;
      webhook.webhook_url = webhook_url ?? before;
      webhook.events = body.events ?? webhook.events;
      if (typeof body.is_active === 'number') webhook.is_active = body.is_active === 1;
      const given = body.auth_header === hiddenAuthHeader ? undefined : body.auth_header;
      // The credential of a receiver must not be sent to another receiver, also if an admin changes the URL.
      const isMoved = typeof webhook_url === 'string' && !haveSameOrigin(before, webhook_url);
      if (given) webhook.auth_header_sealed = deps.secrets.seal(given, sealContext.authHeader(webhook_id));
      else if (given === null || isMoved) webhook.auth_header_sealed = null;
      await entities.flush();
      await auditWebhook(entities, context, 'updated_webhook', webhook, {
        fields: Object.keys(body),
        ...(isMoved && { receiver_changed: true }),
      });
      return webhook;
    });
    publishWebhook(deps, changed);
    return serializeWebhook(changed);
  },
);
