import { isForeignKeyViolation } from '../../db/connection/failures.ts';
import { WebhookDelivery } from '../../db/entities/webhook.ts';
import { createOnce } from '../../db/sql/create-once.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { publishWebhook } from './change-webhook.ts';
import { getWebhookForCaller } from './read-webhooks.ts';
import type { LimitDeliveries } from './redeliver.ts';

/** A receiver expects a text as the job id, in every body: `spec 11.6`. */
const noJob = '00000000-0000-0000-0000-000000000000';

/** Sends a `webhook.test`, whatever events the webhook is registered for. */
export async function testWebhook(
  context: ServiceContext,
  webhookId: string,
  limit: LimitDeliveries,
): Promise<WebhookDelivery> {
  const { deps } = context;
  const entities = deps.database.entities();
  const webhook = await getWebhookForCaller(context, webhookId, entities);
  if (!webhook.is_active) throw refuse('webhook_inactive');
  const { team_id = null, webhook_id } = webhook;
  await limit(webhook_id);
  const delivery_id = context.newId('delivery');
  const payload = {
    event: 'webhook.test',
    job_id: noJob,
    team_id,
    timestamp: new Date().toISOString(),
    data: { webhook_id },
  };
  const create = async () => {
    const body = JSON.stringify(payload);
    const made = entities.create(WebhookDelivery, { delivery_id, webhook, event: payload.event, body });
    await entities.persist(made).flush();
    return made;
  };
  const findOwn = () => deps.database.entities().findOne(WebhookDelivery, { delivery_id });
  const delivery = await createOnce(create, findOwn).catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error;
  });
  if (!delivery) throw refuse('webhook_not_found', webhook_id);
  deps.deliveries.start(team_id, [delivery_id]);
  publishWebhook(deps, webhook);
  return delivery;
}
