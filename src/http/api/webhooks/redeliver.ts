import { DeliveryParams, DeliveryResponse } from '../../../contracts/webhooks.ts';
import { redeliver as deliverAgain } from '../../../services/webhooks/redeliver.ts';
import { limitDeliveries } from '../../limits/take-limits.ts';
import { route } from '../../route.ts';
import { serializeDelivery } from './serialize-webhook.ts';

export const redeliver = route(
  {
    operationId: 'redeliverEvent',
    method: 'post',
    path: '/api/webhooks/deliveries/{delivery_id}/redeliver',
    summary: 'Deliver again, now',
    description:
      'The same body with the same `webhook-id`. One that has ended is tried with its whole schedule again; one that waits for its next attempt gets that at once.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    limits: { place: 'workflowCommands' },
    params: DeliveryParams,
    response: DeliveryResponse.meta({ example: { status: 'pending', finished_at: null } }),
    errors: ['delivery_not_found', 'webhook_of_another_team', 'webhook_inactive'],
  },
  async (context) => {
    const limit = (webhookId: string) => limitDeliveries(context, webhookId);
    return serializeDelivery(await deliverAgain(context, context.params.delivery_id, limit));
  },
);
