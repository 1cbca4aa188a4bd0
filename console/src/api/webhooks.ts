import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { DeliveryDetail, RedeliveredMany, RegisteredWebhook, Webhook } from './types.ts';

const webhookPath = (id: string, rest = ''): string => `/api/webhooks/${encodeURIComponent(id)}${rest}`;

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => get<Webhook>(webhookPath(id), { include: 'failures' }, signal),
  });

/** `state`: what is known of it; another one is read anew. */
export const deliveryQuery = (id: string, state = '') =>
  queryOptions({
    queryKey: ['delivery', id, state],
    queryFn: ({ signal }) => get<DeliveryDetail>(`/api/deliveries/${encodeURIComponent(id)}`, {}, signal),
  });

export const registerWebhook = (body: unknown, idempotencyKey: string): Promise<RegisteredWebhook> =>
  request('POST', '/api/webhooks/register', { body, idempotencyKey });

export const updateWebhook = (id: string, body: unknown): Promise<unknown> =>
  request('PATCH', webhookPath(id), { body });

export const deleteWebhook = (id: string): Promise<unknown> => request('DELETE', webhookPath(id));

export const testWebhook = (id: string, idempotencyKey?: string): Promise<{ delivery_id: string }> =>
  request('POST', webhookPath(id, '/test'), { idempotencyKey });

export const redeliverFailed = (
  id: string,
  since: string,
  idempotencyKey: string,
): Promise<{ redelivered: number; remaining: number }> =>
  request('POST', webhookPath(id, '/redeliver-failed'), { body: { since }, idempotencyKey });

/** Sends again what matches, in parts, until nothing is left. What waits is left alone for a minute after its attempt. */
export async function redeliverMatching(
  filter: Record<string, unknown>,
  idempotencyKey: string,
): Promise<{ redelivered: number }> {
  let redelivered = 0;
  for (let part = 0; ; part += 1) {
    const answer = await request<RedeliveredMany>('POST', '/api/deliveries/redeliver', {
      body: { filter },
      idempotencyKey: `${idempotencyKey}-${part}`,
    });
    redelivered += answer.redelivered;
    if (answer.remaining === 0 || answer.redelivered === 0) return { redelivered };
  }
}
