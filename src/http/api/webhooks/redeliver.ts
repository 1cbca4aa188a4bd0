import { DeliveryParams, DeliveryResponse } from '../../../contracts/webhooks.ts';
import { WebhookDelivery } from '../../../db/entities/webhook.ts';
import { reopenDelivery } from '../../../db/webhooks/deliveries.ts';
import { refuse } from '../../../errors.ts';
import { limitDeliveries } from '../../limits/rate-limits.ts';
import { route } from '../../route.ts';
import { requireOwnWebhook } from './support/get-webhook-for-caller.ts';
import { publishWebhook } from './support/publish-webhook.ts';
import { serializeDelivery } from './support/serialize-webhook.ts';

export const redeliver = route(
  {
    method: 'post',
    path: '/api/webhooks/deliveries/{delivery_id}/redeliver',
    summary: 'Deliver again, now',
    description:
      'The same body with the same `webhook-id`. One that has ended is tried with its whole schedule again; one that waits for its next attempt gets that at once.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    limits: { place: 'jobCommands' },
    params: DeliveryParams,
    response: DeliveryResponse,
    errors: ['delivery_not_found', 'webhook_of_another_team', 'webhook_inactive'],
    example: { response: { status: 'pending', finished_at: null } },
  },
  async (context) => {
    const { deps, caller, params } = context;
    const { delivery_id } = params;
    const entities = deps.database.entities();
    const delivery = await entities.findOne(WebhookDelivery, { delivery_id }, { populate: ['webhook'] });
    if (!delivery) throw refuse('delivery_not_found', delivery_id);
    requireOwnWebhook(caller, delivery.webhook);
    if (!delivery.webhook.is_active) throw refuse('webhook_inactive');
    await limitDeliveries(context, delivery.webhook.webhook_id);
    await reopenDelivery(deps.database, delivery_id);
    await deps.deliveries.redeliver(delivery_id);
    publishWebhook(deps, delivery.webhook);
    const reopened = await entities.refresh(delivery);
    if (!reopened) throw refuse('delivery_not_found', delivery_id);
    return serializeDelivery(reopened);
  },
);
