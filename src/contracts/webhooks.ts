import { z } from 'zod';
import { deliveryStatuses } from '../domain/webhook-delivery.ts';
import { CallerId, JsonObject, Limit, Offset, optional, Timestamp, Uuid } from './fields.ts';

export const WebhookParams = z.object({ webhook_id: Uuid });
export const DeliveryParams = z.object({ delivery_id: Uuid });

/** `spec 11.5` */
export const webhookEvents = ['job.created', 'job.started', 'job.completed', 'job.failed', 'job.cancelled'] as const;

/** The events that a team may subscribe to; a name that is there twice counts once. */
const Events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(100)
  .transform((names) => [...new Set(names)]);

/** Checked by `problemOfWebhookUrl`, because what is allowed depends on a setting. */
const WebhookUrl = z.string().meta({ description: 'http or https, to a public address; at most 2,048 characters' });

const longestHeader = 8_192;
// What a header may hold (RFC 9110): other characters would end it and begin another one.
const headerCharacters = /^[\t\x20-\x7e\x80-\xff]*$/;
const visibleCharacter = /[\x21-\x7e\x80-\xff]/;
const isHeaderValue = (text: string) =>
  text.length <= longestHeader && headerCharacters.test(text) && visibleCharacter.test(text);

const AuthHeader = z
  .string()
  .refine(isHeaderValue, {
    message: `Value should be a header's: visible Latin-1 characters, at most ${longestHeader}`,
  })
  .meta({ description: 'Sent with each delivery as `Authorization`' });

/** Shown in place of an `auth_header` that is set: it is a credential of the receiver and is not shown again. */
export const hiddenAuthHeader = '********';

export const WebhookRegistration = z
  .object({
    team_id: CallerId,
    webhook_url: WebhookUrl,
    events: Events,
    auth_header: optional(AuthHeader),
  })
  .meta({ id: 'WebhookRegistration' });

/** A field that is left out stays, but an `auth_header` only at its origin; a null `auth_header` removes it. */
export const WebhookUpdate = z
  .object({
    webhook_url: optional(WebhookUrl),
    events: optional(Events),
    is_active: optional(z.literal([0, 1])),
    auth_header: AuthHeader.nullish(),
  })
  .meta({ id: 'WebhookUpdate' });

const webhook = {
  webhook_id: z.guid(),
  team_id: z.string(),
  webhook_url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  is_active: z.literal([0, 1]),
  created_at: Timestamp,
  last_triggered_at: Timestamp.nullable(),
  auth_header: z.literal(hiddenAuthHeader).nullable().meta({ description: 'Set or not; never shown again' }),
};

export const WebhookAnswer = z.object(webhook).meta({ id: 'Webhook' });
export type WebhookAnswer = z.output<typeof WebhookAnswer>;

export const RegisteredWebhook = z
  .object({ ...webhook, secret: z.string().meta({ description: 'For the signature; shown this once' }) })
  .meta({ id: 'RegisteredWebhook' });

export const WebhookListQuery = z.object({ team_id: CallerId, limit: Limit, offset: Offset });

export const WebhookList = z
  .object({ team_id: z.string(), total: z.int(), webhooks: z.array(WebhookAnswer) })
  .meta({ id: 'WebhookList' });

export const DeliveryAnswer = z
  .object({
    delivery_id: z.guid().meta({ description: 'The `webhook-id` header of each attempt' }),
    webhook_id: z.guid(),
    event: z.string(),
    job_id: z.guid().nullable(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
    payload: JsonObject.meta({ description: 'The body that is sent' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryAnswer = z.output<typeof DeliveryAnswer>;

export const DeliveryListQuery = z.object({ limit: Limit, offset: Offset });

export const DeliveryList = z
  .object({ webhook_id: z.guid(), total: z.int(), deliveries: z.array(DeliveryAnswer) })
  .meta({ id: 'WebhookDeliveryList' });
