import { WebhookDelivery } from '../../db/entities/webhook.ts';
import { reopenDelivery } from '../../db/webhooks/deliveries.ts';
import { reopenFailedDeliveries } from '../../db/webhooks/reopen-failed-deliveries.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { auditWebhook, publishWebhook } from './change-webhook.ts';
import { getWebhookForCaller, requireOwnWebhook } from './read-webhooks.ts';

/** Counts a requested delivery of a webhook, and refuses one too many. It is called once the webhook was found active. */
export type LimitDeliveries = (webhookId: string) => Promise<void>;

/** Delivers again, now: one that has ended with its whole schedule; one that waits gets its next attempt at once. */
export async function redeliver(
  { deps, caller }: ServiceContext,
  delivery_id: string,
  limit: LimitDeliveries,
): Promise<WebhookDelivery> {
  const entities = deps.database.entities();
  const delivery = await entities.findOne(WebhookDelivery, { delivery_id }, { populate: ['webhook'] });
  if (!delivery) throw refuse('delivery_not_found', delivery_id);
  requireOwnWebhook(caller, delivery.webhook);
  if (!delivery.webhook.is_active) throw refuse('webhook_inactive');
  await limit(delivery.webhook.webhook_id);
  await reopenDelivery(deps.database, delivery_id);
  await deps.deliveries.redeliver(delivery_id);
  publishWebhook(deps, delivery.webhook);
  const reopened = await entities.refresh(delivery);
  if (!reopened) throw refuse('delivery_not_found', delivery_id);
  return reopened;
}

/** A process keeps as many starts of workflows waiting; maintenance starts what it could not. */
const maxDeliveries = 1_000;

/** Delivers again what has failed since a time, the oldest first. */
export async function redeliverFailed(
  context: ServiceContext,
  webhookId: string,
  since: Date,
  limit: LimitDeliveries,
): Promise<{ redelivered: number; remaining: number }> {
  const { deps } = context;
  const webhook = await getWebhookForCaller(context, webhookId);
  if (!webhook.is_active) throw refuse('webhook_inactive');
  const { webhook_id, team_id = null } = webhook;
  await limit(webhook_id);
  const { deliveryIds, remaining } = await deps.database.transaction(async (entities) => {
    const reopened = await reopenFailedDeliveries(entities, { webhook_id, since }, maxDeliveries);
    const redelivered = reopened.deliveryIds.length;
    const details = { since: since.toISOString(), redelivered };
    if (redelivered > 0) await auditWebhook(entities, context, 'redelivered_webhook', webhook, details);
    return reopened;
  });
  deps.deliveries.start(team_id, deliveryIds);
  publishWebhook(deps, webhook);
  return { redelivered: deliveryIds.length, remaining };
}
