import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32;

export const newWebhookSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`;

/** What is signed. `id` is that of the delivery, as in the delivery log. */
export interface SignedContent {
  id: string;
  /** The time of this attempt, in seconds since the epoch. */
  timestamp: number;
  body: string;
}

/** The time in the signature of an attempt, from which its headers can be computed again. */
export const signatureTime = (startedAt: Date): number => Math.floor(startedAt.getTime() / 1_000);

/** The three headers of Standard Webhooks 1.0. `spec 11.2` */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedContent): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

/** The contexts in which a webhook's secrets are sealed: a sealed value opens only for its own webhook and purpose. */
export const sealContext = {
  secret: (webhookId: string) => `webhook-secret:${webhookId}`,
  authHeader: (webhookId: string) => `webhook-auth-header:${webhookId}`,
};
