import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { type DeliveryToSend, findDelivery } from '../../src/db/webhooks/deliveries.ts';
import { failDelivery, recordDeliveryAttempt } from '../../src/db/webhooks/record-delivery-attempt.ts';
import { paceOf } from '../../src/db/webhooks/take-deliveries.ts';
import { deliveryErrors } from '../../src/domain/delivery-error.ts';
import type { WebhookRequest } from '../../src/webhook-delivery/send-webhook.ts';
import { sealContext, signatureHeaders, signatureTime } from '../../src/webhook-delivery/sign-webhook.ts';
import type { DeliverWebhookInput, DeliverWebhookResult } from '../../workflows/contract/activities.ts';
import { busy } from '../busy.ts';
import type { ActivityDeps } from '../ports.ts';

const goneStatus = 410;

/**
 * The error is retried within half a second at first, within minutes later: ten thousand waiting deliveries must not occupy
 * Temporal with retries.
 */
const receiverBusy = {
  type: 'ReceiverBusy',
  message: 'too many attempts at this receiver are running',
  firstMs: 500,
  mostMs: 300_000,
} as const;
const workerFull = { ...receiverBusy, type: 'WorkerFull', message: 'too many attempts are running' } as const;

export const createWebhookActivities = (deps: ActivityDeps) => ({
  /**
   * Makes one attempt at a delivery and records it. Any response of the receiver is a result; only what prevents an attempt
   * from being made or recorded is thrown, and retried. At least once: after a lost worker it is sent again, with the same id. A
   * delivery that has ended is not sent: the guard is `status = 'pending'` on its row.
   */
  async deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
    const leave = deps.measures.takeSlot('deliveries');
    if (!leave) throw busy(workerFull, activityInfo().attempt);
    try {
      return await attemptDelivery(deps, input);
    } finally {
      leave();
    }
  },
});

async function attemptDelivery(
  deps: ActivityDeps,
  { delivery_id, last }: DeliverWebhookInput,
): Promise<DeliverWebhookResult> {
  const delivery = await findDelivery(deps.database, delivery_id);
  if (!delivery) return { status: 'gone' };
  const { webhook_id, team_id, failing, is_active, status } = delivery;
  if (status !== 'pending') return { status };
  if (!is_active) {
    await failDelivery(deps.database, delivery_id, deliveryErrors.webhook_inactive);
    deps.changes.publish('webhooks', { webhook_id, team_id });
    return { status: 'exhausted' };
  }
  const receiver = { webhookId: webhook_id, teamId: paceOf(team_id), failing };
  const startedAt = new Date();
  const begin = performance.now();
  const answer = await deps.webhooks.send(receiver, newWebhookRequest(deps, delivery, startedAt));
  const latency_ms = Math.round(performance.now() - begin);
  if (!answer) throw busy(receiverBusy, activityInfo().attempt);
  deps.metrics.webhookAttempts.inc({ outcome: answer.error === null ? 'delivered' : 'failed' });
  const attempt = {
    attempt_id: randomUUID(),
    delivery_id,
    started_at: startedAt,
    latency_ms,
    status_code: answer.statusCode,
    error: answer.error,
    response_excerpt: answer.excerpt,
    retry_after_ms: answer.retryAfterMs,
    is_gone: answer.statusCode === goneStatus,
    is_last: last,
  };
  const recorded = await retryUntilAvailable(() => recordDeliveryAttempt(deps.database, attempt));
  deps.changes.publish('webhooks', { webhook_id, team_id });
  if (!recorded) return { status: 'gone' };
  if (!recorded.is_active)
    deps.log.warn({ webhook_id, status_code: answer.statusCode }, 'webhooks: webhook deactivated');
  const { retryAfterMs } = answer;
  return { status: recorded.status, ...(retryAfterMs !== null && { retry_after_ms: retryAfterMs }) };
}

/** The body is sent as it was stored, byte for byte, because the signature is of these bytes. */
function newWebhookRequest(deps: ActivityDeps, delivery: DeliveryToSend, startedAt: Date): WebhookRequest {
  const { delivery_id, webhook_id, webhook_url, body, secret_sealed, auth_header_sealed } = delivery;
  const secret = deps.secrets.open(secret_sealed, sealContext.secret(webhook_id));
  return {
    url: webhook_url,
    headers: {
      ...signatureHeaders(secret, { id: delivery_id, timestamp: signatureTime(startedAt), body }),
      ...(auth_header_sealed && {
        authorization: deps.secrets.open(auth_header_sealed, sealContext.authHeader(webhook_id)),
      }),
    },
    body,
  };
}
