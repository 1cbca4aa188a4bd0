import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { DeliveryDetail, RegisteredWebhook, Webhook } from './types.ts';

const pathOf = (id: string, rest = ''): string => `/api/webhooks/${encodeURIComponent(id)}${rest}`;

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => get<Webhook>(pathOf(id), { include: 'failures' }, signal),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => get<DeliveryDetail>(`/api/deliveries/${encodeURIComponent(id)}`, {}, signal),
  });

export const registerWebhook = (body: unknown, idempotencyKey: string): Promise<RegisteredWebhook> =>
  request('POST', '/api/webhooks/register', { body, idempotencyKey });

export const updateWebhook = (id: string, body: unknown): Promise<unknown> => request('PATCH', pathOf(id), { body });

export const deleteWebhook = (id: string): Promise<unknown> => request('DELETE', pathOf(id));

export const testWebhook = (id: string, idempotencyKey?: string): Promise<{ delivery_id: string }> =>
  request('POST', pathOf(id, '/test'), { idempotencyKey });

export const redeliverFailed = (
  id: string,
  since: string,
  idempotencyKey: string,
): Promise<{ redelivered: number; remaining: number }> =>
  request('POST', pathOf(id, '/redeliver-failed'), { body: { since }, idempotencyKey });
