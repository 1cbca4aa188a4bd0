import type { z } from 'zod';
import { hiddenAuthHeader, type WebhookUpdate } from '../../contracts/webhooks.ts';
import type { Webhook } from '../../db/entities/webhook.ts';
import { sealContext } from '../../webhook-delivery/sign-webhook.ts';
import { haveSameOrigin } from '../../webhook-delivery/webhook-url.ts';
import type { ServiceContext } from '../context.ts';
import { auditWebhook, publishWebhook, requireEventsOf, requireWebhookUrl } from './change-webhook.ts';
import { lockOwnWebhook } from './read-webhooks.ts';

/** Changes the named fields of a webhook. A changed URL and a switch-on begin a new count of failures. */
export async function updateWebhook(
  context: ServiceContext,
  webhookId: string,
  change: z.output<typeof WebhookUpdate>,
): Promise<Webhook> {
  const { deps } = context;
  const { webhook_url } = change;
  if (typeof webhook_url === 'string') requireWebhookUrl(deps.config, webhook_url);
  const changed = await deps.database.transaction(async (entities) => {
    const webhook = await lockOwnWebhook(context, webhookId, entities);
    requireEventsOf(webhook, change.events ?? undefined);
    if (webhook_url || change.is_active === 1) webhook.failing_since = null;
    const before = webhook.webhook_url;
    webhook.webhook_url = webhook_url ?? before;
    webhook.events = change.events ?? webhook.events;
    if (typeof change.is_active === 'number') webhook.is_active = change.is_active === 1;
    const given = change.auth_header === hiddenAuthHeader ? undefined : change.auth_header;
    // The credential of a receiver must not be sent to another receiver, also if an admin changes the URL.
    const isMoved = typeof webhook_url === 'string' && !haveSameOrigin(before, webhook_url);
    if (given) webhook.auth_header_sealed = deps.secrets.seal(given, sealContext.authHeader(webhook.webhook_id));
    else if (given === null || isMoved) webhook.auth_header_sealed = null;
    await entities.flush();
    await auditWebhook(entities, context, 'updated_webhook', webhook, {
      fields: Object.keys(change),
      ...(isMoved && { receiver_changed: true }),
    });
    return webhook;
  });
  publishWebhook(deps, changed);
  return changed;
}
