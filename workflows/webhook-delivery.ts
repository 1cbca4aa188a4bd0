import { condition, setHandler } from '@temporalio/workflow';
import { type DeliveryEnd, delayBefore } from '../src/domain/delivery-state.ts';
import { webhooks } from './activity-proxies.ts';
import { attemptNow } from './contract/messages.ts';
import type { DeliveryInput } from './contract/workflows.ts';

/**
 * One event on its way to one webhook: an attempt after each delay, until one succeeds or none is left. A receiver may ask for a longer
 * delay. `attemptNow` makes the
 * next attempt at once; if it comes during the last one, the schedule begins again.
 */
export async function webhookDelivery({ delivery_id, delays_ms }: DeliveryInput): Promise<DeliveryEnd> {
  let isAttemptRequested = false;
  setHandler(attemptNow, () => {
    isAttemptRequested = true;
  });

  async function attemptAsScheduled(): Promise<DeliveryEnd> {
    let retryAfterMs: number | undefined;
    for (const index of delays_ms.keys()) {
      const delayMs = delayBefore(delays_ms, index, retryAfterMs);
      const summary = `attempt ${index + 1} of ${delays_ms.length}`;
      if (delayMs > 0) await condition(() => isAttemptRequested, delayMs, { summary });
      isAttemptRequested = false;
      const last = index === delays_ms.length - 1;
      const attempt = await webhooks.deliverWebhook.executeWithOptions({ summary }, [{ delivery_id, last }]);
      if (attempt.status !== 'pending') return attempt.status;
      retryAfterMs = attempt.retry_after_ms;
    }
    return 'exhausted';
  }

  let end: DeliveryEnd;
  do {
    isAttemptRequested = false;
    end = await attemptAsScheduled();
  } while (isAttemptRequested);
  return end;
}
