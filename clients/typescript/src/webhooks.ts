import { pagesOf } from './pages.ts';
import { path, type RequestOptions, type Transport } from './transport.ts';
import type {
  Deliveries,
  DeliveryDetail,
  GetWebhookQuery,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  Message,
  Redelivered,
  RedeliveredMany,
  RedeliverFailed,
  RedeliverMany,
  RegisteredWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookRegistration,
  WebhookUpdate,
  WebhookWithFailures,
} from './types.generated.ts';

export type WebhookParameters = Omit<WebhookRegistration, 'team_id'> & { team_id?: string | null | undefined };

export class Webhooks {
  readonly #transport: Transport;
  readonly #teamId: string | undefined;

  constructor(transport: Transport, teamId?: string) {
    this.#transport = transport;
    this.#teamId = teamId;
  }

  /** Its answer is the only one that has `secret`. `team_id` is that of the client, if it has one. */
  register(body: WebhookParameters, options?: RequestOptions): Promise<RegisteredWebhook> {
    return this.#transport.post('/api/webhooks/register', { team_id: this.#teamId, ...body }, options);
  }

  list(query: ListWebhooksQuery = {}, options?: RequestOptions) {
    const all = { team_id: this.#teamId, ...query };
    return pagesOf(this.#transport, '/api/webhooks', all, ({ webhooks }: WebhookList) => webhooks, options);
  }

  retrieve(webhookId: string, query: GetWebhookQuery = {}, options?: RequestOptions): Promise<WebhookWithFailures> {
    return this.#transport.get(path`/api/webhooks/${webhookId}`, query, options);
  }

  update(webhookId: string, body: WebhookUpdate, options?: RequestOptions): Promise<Webhook> {
    return this.#transport.patch(path`/api/webhooks/${webhookId}`, body, options);
  }

  delete(webhookId: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/webhooks/${webhookId}`, options);
  }

  /** Sends a `webhook.test`. */
  test(webhookId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.#transport.post(path`/api/webhooks/${webhookId}/test`, undefined, options);
  }

  /** The deliveries of one webhook, the newest first. */
  listDeliveries(webhookId: string, query: { limit?: number | undefined } = {}, options?: RequestOptions) {
    const itemsOf = ({ deliveries }: WebhookDeliveryList) => deliveries;
    return pagesOf(this.#transport, path`/api/webhooks/${webhookId}/deliveries`, query, itemsOf, options);
  }

  redeliver(deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.#transport.post(path`/api/webhooks/deliveries/${deliveryId}/redeliver`, undefined, options);
  }

  redeliverFailed(webhookId: string, body: RedeliverFailed, options?: RequestOptions): Promise<Redelivered> {
    return this.#transport.post(path`/api/webhooks/${webhookId}/redeliver-failed`, body, options);
  }

  /** Delivers again what matches; the same again while `remaining` is not 0. */
  redeliverMatching(body: RedeliverMany, options?: RequestOptions): Promise<RedeliveredMany> {
    return this.#transport.post('/api/deliveries/redeliver', body, options);
  }

  /** The deliveries of all webhooks, the newest first. */
  listAllDeliveries(query: ListDeliveriesQuery = {}, options?: RequestOptions) {
    return pagesOf(this.#transport, '/api/deliveries', query, ({ deliveries }: Deliveries) => deliveries, options);
  }

  retrieveDelivery(deliveryId: string, options?: RequestOptions): Promise<DeliveryDetail> {
    return this.#transport.get(path`/api/deliveries/${deliveryId}`, {}, options);
  }
}
