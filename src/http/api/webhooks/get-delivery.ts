import { DeliveryDetail, DeliveryParams } from '../../../contracts/webhooks.ts';
import {
  type DeliveryAttemptRow,
  type DeliveryDetailRow,
  findDeliveryDetail,
  listDeliveryAttempts,
} from '../../../db/webhooks/find-delivery-detail.ts';
import { nextAttemptAt } from '../../../domain/webhook-delivery.ts';
import { refuse } from '../../../errors.ts';
import { sealContext, signatureHeaders, signatureTime } from '../../../webhook-delivery/sign-webhook.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { requireOwnWebhook } from './support/get-webhook-for-caller.ts';
import { serializeDeliveryRow } from './support/serialize-webhook.ts';

const maxAttempts = 100;

/** The headers of an attempt, computed again: the secret of a webhook never changes, and the time is that of the attempt. */
function signatureOf({ secrets }: Deps, delivery: DeliveryDetailRow, { started_at }: DeliveryAttemptRow) {
  const secret = secrets.open(delivery.secret_sealed, sealContext.secret(delivery.webhook_id));
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = signatureHeaders(secret, {
    id: delivery.delivery_id,
    timestamp: signatureTime(started_at),
    body: delivery.body,
  });
  return { 'webhook-id': id!, 'webhook-timestamp': timestamp!, 'webhook-signature': signature! };
}

const serializeAttempt = ({ started_at, ...attempt }: DeliveryAttemptRow) => ({
  ...attempt,
  started_at: started_at.toISOString(),
});

export const getDelivery = route(
  {
    method: 'get',
    path: '/api/deliveries/{delivery_id}',
    summary: 'Read a delivery with each of its attempts',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: DeliveryParams,
    response: DeliveryDetail,
    errors: ['delivery_not_found', 'webhook_of_another_team'],
    example: { response: { next_attempt_at: null } },
  },
  async ({ deps, caller, params }) => {
    const { delivery_id } = params;
    const delivery = await findDeliveryDetail(deps.database, delivery_id);
    if (!delivery) throw refuse('delivery_not_found', delivery_id);
    requireOwnWebhook(caller, delivery);
    const attempts = await listDeliveryAttempts(deps.database, delivery_id, maxAttempts);
    const [last] = attempts;
    const next = nextAttemptAt(delivery, last, deps.config.WEBHOOK_RETRY_DELAYS);
    return {
      ...serializeDeliveryRow(delivery),
      team_id: delivery.team_id,
      webhook_url: delivery.webhook_url,
      next_attempt_at: next?.toISOString() ?? null,
      signature_headers: last ? signatureOf(deps, delivery, last) : null,
      attempts_log: attempts.map(serializeAttempt),
    };
  },
);
