import { JobGatewayError, WebhookVerificationError } from './errors.ts';
import type { HeaderSource } from './globals.ts';
import type { WebhookPayload } from './webhook-events.ts';

export interface WebhookOptions {
  /** How far the clock of the sender and ours may be apart, and how old a delivery may be: 300. */
  toleranceSeconds?: number | undefined;
}

const defaultToleranceSeconds = 300;
const secretPrefix = 'whsec_';
const version = 'v1,';

function headerOf(headers: HeaderSource, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers as Record<string, unknown>).find(([one]) => one.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (typeof text !== 'string' || text === '') throw new WebhookVerificationError(`The header ${name} is missing`);
  return text;
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function bytesOfBody(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody)) return rawBody;
  throw new JobGatewayError(
    'verifyWebhook needs the body as it came, as text or bytes: parsed JSON cannot be verified',
  );
}

/** The comparison of `subtle.verify` takes the same time wherever the signatures differ. */
async function matches(
  secret: string,
  signatures: Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = bytesOfBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret);
  if (!bytes?.length) throw new JobGatewayError('A secret of webhooks is "whsec_" and base64');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const results = await Promise.all(signatures.map((one) => crypto.subtle.verify('HMAC', key, one, content)));
  return results.includes(true);
}

/**
 * The event of a delivery, if it comes from the gateway. `rawBody` is the body as it came. While a secret is replaced, give both.
 * Throws `WebhookVerificationError` otherwise.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: HeaderSource,
  secrets: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds }: WebhookOptions = {},
): Promise<WebhookPayload> {
  const body = bytesOfBody(rawBody);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith(version))
    .flatMap((one) => bytesOfBase64(one.slice(version.length)) ?? []);

  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is no time');
  const age = Date.now() / 1_000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError('The delivery is too old');
  if (age < -toleranceSeconds) throw new WebhookVerificationError('The delivery comes from the future');

  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  const results = await Promise.all(all.map((secret) => matches(secret, signatures, content)));
  if (!results.includes(true)) throw new WebhookVerificationError('No signature is that of a secret');
  return JSON.parse(new TextDecoder().decode(body)) as WebhookPayload;
}
