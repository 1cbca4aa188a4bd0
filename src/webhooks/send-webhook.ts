import { type buildConnector, Client } from 'undici';
import { reasonOf, timedOut } from './failure-reason.ts';
import { boundAnswer } from './limit-response.ts';

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The outcome of an attempt. `error` is null for a 2xx; the status is null when there was no answer. */
export interface ReceiverAnswer {
  statusCode: number | null;
  error: string | null;
}

/** `spec 11.3` */
const attemptMs = 15_000;
const readAtMost = 65_536;
/** With its head and framing. */
const takenAtMost = 4 * readAtMost;
/** The status is the answer; the body is read only so that the receiver can finish properly. */
const readForMs = 1_000;

const isSuccess = (statusCode: number) => statusCode >= 200 && statusCode < 300;

const wordsFor = (statusCode: number): string =>
  statusCode >= 300 && statusCode < 400 ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`;

/**
 * Makes one attempt, on a connection of its own, so that a receiver that closes idle connections, or answers without an end,
 * disturbs no other attempt. Never throws.
 */
export async function sendWebhook(
  connect: buildConnector.connector,
  { url, headers, body }: WebhookRequest,
  withinMs = attemptMs,
): Promise<ReceiverAnswer> {
  const target = URL.parse(url);
  if (!target) return { statusCode: null, error: 'the URL cannot be read' };
  const { origin, pathname, search } = target;
  const client = new Client(origin, {
    connect: boundAnswer(connect, takenAtMost),
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
  });
  // Not a signal: undici heeds one only once it is connected.
  const deadline = setTimeout(() => end(timedOut()), withinMs);
  const end = (reason: Error | null) => void client.destroy(reason).catch(() => undefined);
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${pathname}${search}`,
      headers: { 'content-type': 'application/json', 'user-agent': 'job-gateway-webhooks', ...headers },
      body,
    });
    await answer.body.dump({ limit: readAtMost, signal: AbortSignal.timeout(readForMs) }).catch(() => undefined);
    const { statusCode } = answer;
    return { statusCode, error: isSuccess(statusCode) ? null : wordsFor(statusCode) };
  } catch (error) {
    return { statusCode: null, error: reasonOf(error) };
  } finally {
    clearTimeout(deadline);
    end(null);
  }
}
