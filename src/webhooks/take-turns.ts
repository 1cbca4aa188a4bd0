/**
 * At most so many attempts at once at one webhook, and in all, of one worker. A receiver that hangs holds its own turns
 * and nobody else's, and all receivers together leave most of the worker to the calls.
 */
export interface Turns {
  /** Ends the turn; undefined when there is none to be had now. */
  take(webhookId: string, failing: boolean): (() => void) | undefined;
}

export interface TurnLimits {
  atOneWebhook: number;
  /** At one whose last attempt failed: many dead receivers together still leave room for the living. */
  atOneFailing: number;
  inAll: number;
}

export function createTurns({ atOneWebhook, atOneFailing, inAll }: TurnLimits): Turns {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(webhookId, failing) {
      const here = taken.get(webhookId) ?? 0;
      if (here >= (failing ? atOneFailing : atOneWebhook) || all >= inAll) return undefined;
      taken.set(webhookId, here + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = taken.get(webhookId)! - 1;
        if (left === 0) taken.delete(webhookId);
        else taken.set(webhookId, left);
      };
    },
  };
}
