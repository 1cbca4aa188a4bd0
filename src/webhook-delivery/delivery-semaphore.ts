/** The receiver of an attempt. */
export interface Receiver {
  webhookId: string;
  teamId: string;
  /** The last attempt at this webhook failed. */
  failing: boolean;
}

/**
 * Bounds the attempts that a worker makes at once: at one webhook, for one team, and in total. A receiver that hangs blocks only
 * its own attempts, a team with many of them only its own, and all of them together leave most of the worker to the calls.
 *
 * Nothing waits in a queue here, unlike at the fair semaphore: Temporal retries an attempt that finds no place.
 */
export interface DeliverySemaphore {
  /** Returns the function that releases the place; undefined when one of the limits is reached. */
  tryAcquire(receiver: Receiver): (() => void) | undefined;
}

export interface DeliveryLimits {
  perWebhook: number;
  /** The bound of a webhook whose last attempt failed. It is lower, so that many dead receivers leave room for the others. */
  perFailingWebhook: number;
  perTeam: number;
  total: number;
}

export function createDeliverySemaphore(limits: DeliveryLimits): DeliverySemaphore {
  const running = new Map<string, number>();
  const add = (key: string, change: 1 | -1): void => {
    const count = (running.get(key) ?? 0) + change;
    if (count === 0) running.delete(key);
    else running.set(key, count);
  };
  return {
    tryAcquire({ webhookId, teamId, failing }) {
      const limitByKey = {
        [`webhook ${webhookId}`]: failing ? limits.perFailingWebhook : limits.perWebhook,
        [`team ${teamId}`]: limits.perTeam,
        total: limits.total,
      };
      const keys = Object.keys(limitByKey);
      if (Object.entries(limitByKey).some(([key, limit]) => (running.get(key) ?? 0) >= limit)) return undefined;
      for (const key of keys) add(key, 1);
      return () => {
        for (const key of keys) add(key, -1);
      };
    },
  };
}
