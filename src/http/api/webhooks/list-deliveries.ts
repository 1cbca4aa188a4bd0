import { DeliveryList, DeliveryListQuery, DeliveryResponse, WebhookParams } from '../../../contracts/webhooks.ts';
import { listDeliveriesOfWebhook } from '../../../db/webhooks/list-deliveries.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';
import { serializeDeliveryRow } from './support/serialize-webhook.ts';

export const listDeliveries = route(
  {
    method: 'get',
    path: '/api/webhooks/{webhook_id}/deliveries',
    summary: 'List the deliveries to a webhook, past and pending, newest first',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    params: WebhookParams,
    query: DeliveryListQuery,
    response: DeliveryList,
    csv: { name: 'deliveries', row: DeliveryResponse, rows: ({ deliveries }) => deliveries },
    errors: ['webhook_not_found', 'webhook_of_another_team'],
  },
  async ({ deps, caller, params, query }) => {
    const { webhook_id } = await getWebhookForCaller(deps.database.entities(), caller, params.webhook_id);
    const { counted, rows, next } = await listDeliveriesOfWebhook(deps.database, webhook_id, query);
    return {
      webhook_id,
      total: counted!.total,
      deliveries: rows.map(serializeDeliveryRow),
      ...nextCursorIfPaged(query, next),
    };
  },
);
