import { Message } from '../../../contracts/fields.ts';
import { WebhookParams } from '../../../contracts/webhooks.ts';
import { Webhook } from '../../../db/entities/webhook.ts';
import { deleteInBatches } from '../../../db/sql/delete-in-batches.ts';
import { deleteDeliveriesOfWebhook } from '../../../db/webhooks/deliveries.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { auditWebhook } from './support/audit-webhook.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';
import { publishWebhook } from './support/publish-webhook.ts';

export const deleteWebhook = route(
  {
    method: 'delete',
    path: '/api/webhooks/{webhook_id}',
    summary: 'Delete a webhook, its delivery log and its pending deliveries',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    params: WebhookParams,
    response: Message,
    errors: ['webhook_not_found', 'webhook_of_another_team'],
    example: { response: { message: "Webhook '71d3a9e4-8c05-4b6f-a217-5fe0c49b82d6' deleted successfully" } },
  },
  async (context) => {
    const { deps, caller, params } = context;
    const { webhook_id } = params;
    const webhook = await getWebhookForCaller(deps.database.entities(), caller, webhook_id);
    // Deliveries are deleted first, and in parts: deleting the webhook locks its row, and with a month of deliveries every job
    // of the team would wait long to end.
    await deleteInBatches((atMost) => deleteDeliveriesOfWebhook(deps.database, webhook_id, atMost));
    await deps.database.transaction(async (entities) => {
      if (!(await entities.nativeDelete(Webhook, { webhook_id }))) throw refuse('webhook_not_found', webhook_id);
      await auditWebhook(entities, context, 'deleted_webhook', webhook);
    });
    publishWebhook(deps, webhook);
    return { message: `Webhook '${webhook_id}' deleted successfully` };
  },
);
