import {
  type DeliveryAnswer,
  hiddenAuthHeader,
  type WebhookAnswer,
  type webhookEvents,
} from '../../../../contracts/webhooks.ts';
import type { Webhook, WebhookDelivery } from '../../../../db/entities/webhook.ts';

export const serializeWebhook = (webhook: Webhook): WebhookAnswer => ({
  webhook_id: webhook.webhook_id,
  team_id: webhook.team_id,
  webhook_url: webhook.webhook_url,
  events: webhook.events as (typeof webhookEvents)[number][],
  is_active: webhook.is_active ? 1 : 0,
  created_at: webhook.created_at.toISOString(),
  last_triggered_at: webhook.last_triggered_at?.toISOString() ?? null,
  auth_header: webhook.auth_header_sealed ? hiddenAuthHeader : null,
});

export const serializeDelivery = (delivery: WebhookDelivery): DeliveryAnswer => ({
  delivery_id: delivery.delivery_id,
  webhook_id: delivery.webhook.webhook_id,
  event: delivery.event,
  job_id: delivery.job_id ?? null,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status_code: delivery.last_status_code ?? null,
  last_error: delivery.last_error ?? null,
  created_at: delivery.created_at.toISOString(),
  finished_at: delivery.finished_at?.toISOString() ?? null,
  payload: JSON.parse(delivery.body),
});
