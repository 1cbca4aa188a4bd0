import { createTurns, type Receiver } from './delivery-semaphore.ts';
import { createGuardedConnector } from './guard-connections.ts';
import type { ReceiverPolicy } from './receiver-policy.ts';
import { type ReceiverAnswer, sendWebhook, type WebhookRequest } from './send-webhook.ts';

export interface WebhookSender {
  /**
   * Makes one attempt of at most 15 s with the signed request. Never rejects: what the receiver did is the answer. Undefined
   * when too many others are under way (`take-turns.ts`): then it has to be made a little later.
   */
  send(receiver: Receiver, request: WebhookRequest): Promise<ReceiverAnswer | undefined>;
}

/** An attempt lasts up to 15 s; a worker has 2,000 activities at once, most of them for calls. */
const turnLimits = { atOneWebhook: 50, atOneFailing: 10, ofOneTeam: 100, inAll: 500 };

export function createWebhookSender(policy: ReceiverPolicy): WebhookSender {
  const connect = createGuardedConnector(policy);
  const turns = createTurns(turnLimits);
  return {
    async send(receiver, request) {
      const endTurn = turns.take(receiver);
      if (!endTurn) return undefined;
      try {
        return await sendWebhook(connect, request);
      } finally {
        endTurn();
      }
    },
  };
}
