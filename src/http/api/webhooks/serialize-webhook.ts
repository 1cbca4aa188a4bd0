import type { z } from 'zod';
import {
  type DeliveryDetail,
  type DeliveryOfTeam,
  type DeliveryResponse,
  hiddenAuthHeader,
  type WebhookEvent,
  type WebhookResponse,
  type WebhookWithFailures,
} from '../../../contracts/webhooks.ts';
import type { DeliveryAttemptRow } from '../../../db/webhooks/find-delivery-detail.ts';
import type { DeliveryRow } from '../../../db/webhooks/list-deliveries.ts';
import { deliveryErrorCode } from '../../../domain/delivery-error.ts';
import type { DeliveryDetail as Detail } from '../../../services/webhooks/read-deliveries.ts';
import type { Webhook, WebhookDelivery } from '../../../services/webhooks/read-webhooks.ts';

type ShownOfWebhook = Pick<
  Webhook,
  | 'webhook_id'
  | 'team_id'
  | 'webhook_url'
  | 'events'
  | 'is_active'
  | 'created_at'
  | 'last_triggered_at'
  | 'auth_header_sealed'
>;

export const serializeWebhook = (webhook: ShownOfWebhook): WebhookResponse => ({
  webhook_id: webhook.webhook_id,
  team_id: webhook.team_id ?? null,
  webhook_url: webhook.webhook_url,
  events: webhook.events as WebhookEvent[],
  is_active: webhook.is_active ? 1 : 0,
  created_at: webhook.created_at.toISOString(),
  last_triggered_at: webhook.last_triggered_at?.toISOString() ?? null,
  auth_header: webhook.auth_header_sealed ? hiddenAuthHeader : null,
});

export const serializeWebhookWithFailures = (
  webhook: ShownOfWebhook & Pick<Webhook, 'failing_since'>,
  last_status_code: number | null,
): z.input<typeof WebhookWithFailures> => ({
  ...serializeWebhook(webhook),
  failing_since: webhook.failing_since?.toISOString() ?? null,
  last_status_code,
});

export const serializeDeliveryRow = (delivery: Omit<DeliveryRow, 'team_id'>): DeliveryResponse => ({
  delivery_id: delivery.delivery_id,
  webhook_id: delivery.webhook_id,
  event: delivery.event,
  job_id: delivery.job_id,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status_code: delivery.last_status_code,
  last_error: delivery.last_error,
  last_error_code: deliveryErrorCode(delivery.last_error),
  created_at: delivery.created_at.toISOString(),
  finished_at: delivery.finished_at?.toISOString() ?? null,
  payload: JSON.parse(delivery.body),
});

export const serializeDelivery = (delivery: WebhookDelivery): DeliveryResponse =>
  serializeDeliveryRow({
    delivery_id: delivery.delivery_id,
    webhook_id: delivery.webhook.webhook_id,
    event: delivery.event,
    job_id: delivery.job_id ?? null,
    body: delivery.body,
    status: delivery.status,
    attempts: delivery.attempts,
    last_status_code: delivery.last_status_code ?? null,
    last_error: delivery.last_error ?? null,
    created_at: delivery.created_at,
    finished_at: delivery.finished_at ?? null,
  });

export const serializeDeliveryOfTeam = (delivery: DeliveryRow): z.input<typeof DeliveryOfTeam> => ({
  ...serializeDeliveryRow(delivery),
  team_id: delivery.team_id,
});

const serializeAttempt = ({ started_at, ...attempt }: DeliveryAttemptRow) => ({
  ...attempt,
  error_code: deliveryErrorCode(attempt.error),
  started_at: started_at.toISOString(),
});

export const serializeDeliveryDetail = ({
  delivery,
  attempts,
  nextAttemptAt,
  signatureHeaders,
}: Detail): z.input<typeof DeliveryDetail> => ({
  ...serializeDeliveryOfTeam(delivery),
  webhook_url: delivery.webhook_url,
  next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  signature_headers: signatureHeaders,
  attempts_log: attempts.map(serializeAttempt),
});
