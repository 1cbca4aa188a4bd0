import { DeliveryResponse, WebhookParams } from '../../../contracts/webhooks.ts';
import { testWebhook as test } from '../../../services/webhooks/test-webhook.ts';
import { limitDeliveries } from '../../limits/take-limits.ts';
import { route } from '../../route.ts';
import { serializeDelivery } from './serialize-webhook.ts';

/** The delivery in the example is before its first attempt. */
const untried = { status: 'pending', attempts: 0, last_status_code: null, finished_at: null };

export const testWebhook = route(
  {
    operationId: 'testWebhook',
    method: 'post',
    path: '/api/webhooks/{webhook_id}/test',
    summary: 'Send a `webhook.test` event',
    description: 'Signed and repeated like any other event, whatever events the webhook is registered for.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    limits: { place: 'workflowCommands' },
    params: WebhookParams,
    response: DeliveryResponse.meta({
      example: {
        ...untried,
        event: 'webhook.test',
        job_id: null,
        payload: {
          event: 'webhook.test',
          job_id: '00000000-0000-0000-0000-000000000000',
          team_id: 'acme-research',
          timestamp: '2026-01-31T09:30:00.000Z',
          data: { webhook_id: '71d3a9e4-8c05-4b6f-a217-5fe0c49b82d6' },
        },
      },
    }),
    errors: ['webhook_not_found', 'webhook_of_another_team', 'webhook_inactive'],
  },
  async (context) => {
    const limit = (webhookId: string) => limitDeliveries(context, webhookId);
    return serializeDelivery(await test(context, context.params.webhook_id, limit));
  },
);
