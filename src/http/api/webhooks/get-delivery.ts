import { DeliveryDetail, DeliveryParams } from '../../../contracts/webhooks.ts';
import { getDelivery as get } from '../../../services/webhooks/read-deliveries.ts';
import { route } from '../../route.ts';
import { serializeDeliveryDetail } from './serialize-webhook.ts';

export const getDelivery = route(
  {
    operationId: 'getDelivery',
    method: 'get',
    path: '/api/deliveries/{delivery_id}',
    summary: 'Read a delivery with each of its attempts',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: DeliveryParams,
    response: DeliveryDetail.meta({ example: { next_attempt_at: null } }),
    errors: ['delivery_not_found', 'webhook_of_another_team'],
  },
  async (context) => serializeDeliveryDetail(await get(context, context.params.delivery_id)),
);
