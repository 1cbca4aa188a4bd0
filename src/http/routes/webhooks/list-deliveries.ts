import { DeliveryList, DeliveryListQuery, WebhookParams } from '../../../contracts/webhooks.ts';
import { WebhookDelivery } from '../../../db/entities/webhook.ts';
import { route } from '../../route.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';
import { serializeDelivery } from './support/serialize-webhook.ts';

export const listDeliveries = route(
  {
    method: 'get',
    path: '/api/webhooks/{webhook_id}/deliveries',
    summary: 'List the deliveries to a webhook, past and pending, newest first',
    tag: 'Webhooks',
    auth: ['team', 'admin'],
    quota: 'lists',
    params: WebhookParams,
    query: DeliveryListQuery,
    response: DeliveryList,
    errors: ['webhook_not_found', 'webhook_of_another_team'],
  },
  async ({ deps, caller, params, query: { limit, offset } }) => {
    const { webhook_id } = await getWebhookForCaller(deps.database.entities(), caller, params.webhook_id);
    const [deliveries, total] = await deps.database.reports.snapshot((entities) =>
      entities.findAndCount(
        WebhookDelivery,
        { webhook: webhook_id },
        { orderBy: { created_at: 'desc', delivery_id: 'asc' }, limit, offset },
      ),
    );
    return { webhook_id, total, deliveries: deliveries.map(serializeDelivery) };
  },
);
