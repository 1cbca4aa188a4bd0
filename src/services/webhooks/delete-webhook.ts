import { Webhook } from '../../db/entities/webhook.ts';
import { deleteInBatches } from '../../db/sql/delete-in-batches.ts';
import { deleteDeliveriesOfWebhook } from '../../db/webhooks/deliveries.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { auditWebhook, publishWebhook } from './change-webhook.ts';
import { getWebhookForCaller } from './read-webhooks.ts';

/** Deletes a webhook with its deliveries, past and pending. */
export async function deleteWebhook(context: ServiceContext, webhook_id: string): Promise<void> {
  const { deps } = context;
  const webhook = await getWebhookForCaller(context, webhook_id);
  // Deliveries are deleted first, and in parts: deleting the webhook locks its row, and with a month of deliveries every job
  // of the team would wait long to end.
  await deleteInBatches((atMost) => deleteDeliveriesOfWebhook(deps.database, webhook_id, atMost));
  await deps.database.transaction(async (entities) => {
    if (!(await entities.nativeDelete(Webhook, { webhook_id }))) throw refuse('webhook_not_found', webhook_id);
    await auditWebhook(entities, context, 'deleted_webhook', webhook);
  });
  publishWebhook(deps, webhook);
}
