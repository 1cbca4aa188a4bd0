import { Message } from '../../../contracts/fields.ts';
import { WebhookParams } from '../../../contracts/webhooks.ts';
import { deleteWebhook as remove } from '../../../services/webhooks/delete-webhook.ts';
import { route } from '../../route.ts';

export const deleteWebhook = route(
  {
    operationId: 'deleteWebhook',
    method: 'delete',
    path: '/api/webhooks/{webhook_id}',
    summary: 'Delete a webhook, its delivery log and its pending deliveries',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    params: WebhookParams,
    response: Message.meta({
      example: { message: "Webhook '71d3a9e4-8c05-4b6f-a217-5fe0c49b82d6' deleted successfully" },
    }),
    errors: ['webhook_not_found', 'webhook_of_another_team'],
  },
  async (context) => {
    const { webhook_id } = context.params;
    await remove(context, webhook_id);
    return { message: `Webhook '${webhook_id}' deleted successfully` };
  },
);
