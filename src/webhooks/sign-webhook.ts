import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;

export const newWebhookSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`;

/** The signed content. The id is that of the delivery, as in the delivery log. */
export interface SignedContent {
  id: string;
  /** Seconds since the epoch, when this attempt is made. */
  timestamp: number;
  body: string;
}

/** The three headers of Standard Webhooks 1.0. `spec 11.2` */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedContent): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

/** The contexts that a webhook's secrets are sealed in: a sealed value opens for its own webhook and purpose only. */
export const sealContext = {
  secret: (webhookId: string) => `webhook-secret:${webhookId}`,
  authHeader: (webhookId: string) => `webhook-auth-header:${webhookId}`,
};
