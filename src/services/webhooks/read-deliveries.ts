import type { KeysetPage } from '../../db/sql/read-keyset-page.ts';
import {
  type DeliveryAttemptRow,
  type DeliveryDetailRow,
  findDeliveryDetail,
  listDeliveryAttempts,
} from '../../db/webhooks/find-delivery-detail.ts';
import {
  type DeliverySelection,
  listDeliveries as list,
  listDeliveriesOfWebhook as listOf,
} from '../../db/webhooks/list-deliveries.ts';
import { nextAttemptAt } from '../../domain/delivery-state.ts';
import { refuse } from '../../errors.ts';
import { sealContext, signatureHeaders, signatureTime } from '../../webhook-delivery/sign-webhook.ts';
import { requireTeam, visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';
import { getWebhookForCaller, requireOwnWebhook } from './read-webhooks.ts';

type Reading = Pick<ServiceContext, 'deps' | 'caller'>;

/** A page of deliveries to any webhook, the newest first. A team sees those to its own webhooks. */
export async function listDeliveries({ deps, caller }: Reading, selection: DeliverySelection, page: KeysetPage) {
  const { team_id } = selection;
  if (team_id !== undefined) requireTeam(caller, team_id);
  const ofTeam = visibleTeam(caller, team_id);
  return list(deps.database, { ...selection, team_id: ofTeam }, page);
}

/** A page of deliveries to one webhook, the newest first. */
export async function listDeliveriesOfWebhook(context: Reading, webhookId: string, page: KeysetPage) {
  const { webhook_id } = await getWebhookForCaller(context, webhookId);
  return { webhook_id, ...(await listOf(context.deps.database, webhook_id, page)) };
}

export interface DeliveryDetail {
  delivery: DeliveryDetailRow;
  /** The newest first. */
  attempts: DeliveryAttemptRow[];
  /** The time at which the next attempt is due at the latest; null where none is to come. */
  nextAttemptAt: Date | null;
  /** The headers that the last attempt was signed with; null before the first. */
  signatureHeaders: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> | null;
}

const maxAttempts = 100;

export async function getDelivery({ deps, caller }: Reading, deliveryId: string): Promise<DeliveryDetail> {
  const delivery = await findDeliveryDetail(deps.database, deliveryId);
  if (!delivery) throw refuse('delivery_not_found', deliveryId);
  requireOwnWebhook(caller, delivery);
  const attempts = await listDeliveryAttempts(deps.database, deliveryId, maxAttempts);
  const [last] = attempts;
  return {
    delivery,
    attempts,
    nextAttemptAt: nextAttemptAt(delivery, last, deps.config.WEBHOOK_RETRY_DELAYS),
    signatureHeaders: last ? computeSignature(deps, delivery, last) : null,
  };
}

/** The headers of an attempt, computed again: the secret of a webhook never changes, and the time is that of the attempt. */
function computeSignature({ secrets }: ServiceDeps, delivery: DeliveryDetailRow, { started_at }: DeliveryAttemptRow) {
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
