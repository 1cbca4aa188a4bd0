import { type buildConnector, Client } from 'undici';
import { deliveryErrors } from '../domain/delivery-error.ts';
import { parseRetryAfter } from '../domain/formats/retry-after.ts';
import { failureReason } from './failure-reason.ts';
import { limitResponse } from './limit-response.ts';
import { readExcerpt } from './read-excerpt.ts';

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The result of an attempt. `error` is null for a 2xx; `statusCode` and `excerpt` are null if there was no response. */
export interface ReceiverResponse {
  statusCode: number | null;
  error: string | null;
  /** The beginning of the body. */
  excerpt: string | null;
  /** How long a receiver that refused asks to wait. */
  retryAfterMs: number | null;
}

/** `spec 11.3` */
const attemptTimeoutMs = 15_000;
const maxBodyBytes = 65_536;
/** The bytes include the headers and the framing. */
const maxResponseBytes = 4 * maxBodyBytes;
/** The status is the result. More than the excerpt of the body is read only so that the receiver can finish its response. */
const bodyTimeoutMs = 1_000;

const isSuccess = (statusCode: number) => statusCode >= 200 && statusCode < 300;

const errorOfStatus = (statusCode: number): string =>
  statusCode >= 300 && statusCode < 400 ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`;

const timedOut = (): Error => Object.assign(new Error('the attempt took too long'), { code: 'ETIMEDOUT' });

/**
 * Makes one attempt. It has a connection of its own, so that a receiver that closes idle connections or sends an endless response
 * affects no other attempt. Never rejects.
 */
export async function sendWebhook(
  connect: buildConnector.connector,
  { url, headers, body }: WebhookRequest,
  timeoutMs = attemptTimeoutMs,
): Promise<ReceiverResponse> {
  const target = URL.parse(url);
  if (!target) return { statusCode: null, error: deliveryErrors.url_not_readable, excerpt: null, retryAfterMs: null };
  const { origin, pathname, search } = target;
  const client = new Client(origin, {
    connect: limitResponse(connect, maxResponseBytes),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const close = (reason: Error | null) => void client.destroy(reason).catch(() => undefined);
  // undici observes an AbortSignal only after it has connected.
  const deadline = setTimeout(() => close(timedOut()), timeoutMs);
  try {
    const response = await client.request({
      method: 'POST',
      path: `${pathname}${search}`,
      headers: { 'content-type': 'application/json', 'user-agent': 'job-gateway-webhooks', ...headers },
      body,
    });
    const { statusCode } = response;
    const excerpt = await readExcerpt(response.body, { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs });
    if (isSuccess(statusCode)) return { statusCode, error: null, excerpt, retryAfterMs: null };
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now()) ?? null;
    return { statusCode, error: errorOfStatus(statusCode), excerpt, retryAfterMs };
  } catch (error) {
    return { statusCode: null, error: failureReason(error), excerpt: null, retryAfterMs: null };
  } finally {
    clearTimeout(deadline);
    close(null);
  }
}
