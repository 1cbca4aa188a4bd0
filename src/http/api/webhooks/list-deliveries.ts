import { DeliveryList, DeliveryListQuery, DeliveryResponse, WebhookParams } from '../../../contracts/webhooks.ts';
import { listDeliveriesOfWebhook } from '../../../services/webhooks/read-deliveries.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeDeliveryRow } from './serialize-webhook.ts';

export const listDeliveries = route(
  {
    operationId: 'listWebhookDeliveries',
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
  async (context) => {
    const { params, query } = context;
    const { webhook_id, counted, rows, next } = await listDeliveriesOfWebhook(context, params.webhook_id, query);
    return {
      webhook_id,
      total: counted!.total,
      deliveries: rows.map(serializeDeliveryRow),
      ...nextCursorIfPaged(query, next),
    };
  },
);
