import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { deliveryStatuses } from '../../domain/delivery-state.ts';
import { createdAt, textArray } from './columns.ts';

export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    webhook_id: p.uuid().primary(),
    /** Null: the webhook is one of the installation. */
    team_id: p.text().nullable(),
    webhook_url: p.text(),
    events: textArray(),
    is_active: p.boolean().default(true),
    auth_header_sealed: p.blob().nullable(),
    secret_sealed: p.blob(),
    /** The first failure since the last success. */
    failing_since: p.datetime(3).nullable(),
    last_triggered_at: p.datetime(3).nullable(),
    created_at: createdAt(),
  },
});
export type Webhook = InferEntity<typeof Webhook>;

export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    delivery_id: p.uuid().primary(),
    webhook: () => p.manyToOne(Webhook).joinColumn('webhook_id'),
    event: p.text(),
    job_id: p.uuid().nullable(),
    body: p.text(),
    status: p.enum(deliveryStatuses).default('pending'),
    attempts: p.integer().default(0),
    last_status_code: p.integer().nullable(),
    last_error: p.text().nullable(),
    started_at: p.datetime(3).nullable(),
    created_at: createdAt(),
    finished_at: p.datetime(3).nullable(),
  },
});
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
