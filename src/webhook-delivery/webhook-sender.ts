import { createDeliverySemaphore, type Receiver } from './delivery-semaphore.ts';
import { createGuardedConnector } from './guard-connections.ts';
import type { ReceiverPolicy } from './receiver-policy.ts';
import { type ReceiverResponse, sendWebhook, type WebhookRequest } from './send-webhook.ts';

export interface WebhookSender {
  /**
   * Makes one attempt with the signed request, in at most 15 s. Never rejects: a failure is a result too. Undefined when too many
   * other attempts are running; the attempt should then be repeated later.
   */
  send(receiver: Receiver, request: WebhookRequest): Promise<ReceiverResponse | undefined>;
}

/**
 * An attempt lasts up to 15 s. A worker has 100 slots for attempts; a team has 30 of them, and one receiver that hangs a few. A team whose
 * receivers answer within 3 s is not held up, because no more than ten of its deliveries are begun in a second.
 */
const limits = { perWebhook: 25, perFailingWebhook: 5, perTeam: 30, total: 100 };

export function createWebhookSender(policy: ReceiverPolicy): WebhookSender {
  const connect = createGuardedConnector(policy);
  const semaphore = createDeliverySemaphore(limits);
  return {
    async send(receiver, request) {
      const release = semaphore.tryAcquire(receiver);
      if (!release) return undefined;
      try {
        return await sendWebhook(connect, request);
      } finally {
        release();
      }
    },
  };
}
