import { condition, setHandler } from '@temporalio/workflow';
import type { DeliveryEnd } from '../src/domain/webhook-delivery.ts';
import { webhooks } from './activities.ts';
import { attemptNow } from './contract/messages.ts';

export interface DeliveryInput {
  delivery_id: string;
  /** Milliseconds before each attempt, counted from the end of the one before. `spec 11.3` */
  delays_ms: number[];
}

/**
 * One event on its way to one webhook: an attempt after each delay, until one succeeds or none is left. `attemptNow` makes the
 * next attempt at once; if it comes during the last one, the schedule begins again.
 */
export async function webhookDelivery({ delivery_id, delays_ms }: DeliveryInput): Promise<DeliveryEnd> {
  let asked = false;
  setHandler(attemptNow, () => {
    asked = true;
  });

  async function attemptAsScheduled(): Promise<DeliveryEnd> {
    for (const [index, delayMs] of delays_ms.entries()) {
      const summary = `attempt ${index + 1} of ${delays_ms.length}`;
      if (delayMs > 0) await condition(() => asked, delayMs, { summary });
      asked = false;
      const last = index === delays_ms.length - 1;
      const { status } = await webhooks.deliverWebhook.executeWithOptions({ summary }, [{ delivery_id, last }]);
      if (status !== 'pending') return status;
    }
    return 'exhausted';
  }

  let end: DeliveryEnd;
  do {
    asked = false;
    end = await attemptAsScheduled();
  } while (asked);
  return end;
}
