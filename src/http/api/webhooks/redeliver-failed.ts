import { startOf } from '../../../contracts/date-range.ts';
import { Redelivered, RedeliverFailed, WebhookParams } from '../../../contracts/webhooks.ts';
import { redeliverFailed as redeliver } from '../../../services/webhooks/redeliver.ts';
import { limitDeliveries } from '../../limits/take-limits.ts';
import { route } from '../../route.ts';

export const redeliverFailed = route(
  {
    operationId: 'redeliverFailedEvents',
    method: 'post',
    path: '/api/webhooks/{webhook_id}/redeliver-failed',
    summary: 'Deliver again what has failed since a time',
    description:
      'Each exhausted delivery of an event since then is tried with its whole schedule again, with the same body and `webhook-id`. ' +
      'Those that wait for an attempt are not touched, so that a repetition delivers nothing twice.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'workflowCommands' },
    params: WebhookParams,
    body: { schema: RedeliverFailed },
    response: Redelivered.meta({ example: { redelivered: 12, remaining: 0 } }),
    errors: ['webhook_not_found', 'webhook_of_another_team', 'webhook_inactive'],
  },
  async (context) => {
    const limit = (webhookId: string) => limitDeliveries(context, webhookId);
    return redeliver(context, context.params.webhook_id, startOf(context.body.since), limit);
  },
);
