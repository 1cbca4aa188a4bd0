/** The receiver of an attempt. */
export interface Receiver {
  webhookId: string;
  teamId: string;
  /** The last attempt at the receiver failed. */
  failing: boolean;
}

/**
 * Limits the attempts under way in a worker: at one webhook, for one team, and in all. A receiver that hangs holds only its own
 * turns, a team with many of them only the team's, and all together leave most of the worker to the calls.
 */
export interface Turns {
  /** Returns a function that ends the turn; undefined when there is no turn now. */
  take(receiver: Receiver): (() => void) | undefined;
}

export interface TurnLimits {
  atOneWebhook: number;
  /** At a webhook whose last attempt failed: many dead receivers together still leave room for the living. */
  atOneFailing: number;
  ofOneTeam: number;
  inAll: number;
}

export function createTurns({ atOneWebhook, atOneFailing, ofOneTeam, inAll }: TurnLimits): Turns {
  const taken = new Map<string, number>();
  const add = (key: string, change: 1 | -1): void => {
    const now = (taken.get(key) ?? 0) + change;
    if (now === 0) taken.delete(key);
    else taken.set(key, now);
  };
  return {
    take({ webhookId, teamId, failing }) {
      const limits = {
        [`webhook ${webhookId}`]: failing ? atOneFailing : atOneWebhook,
        [`team ${teamId}`]: ofOneTeam,
        all: inAll,
      };
      if (Object.entries(limits).some(([key, most]) => (taken.get(key) ?? 0) >= most)) return undefined;
      for (const key of Object.keys(limits)) add(key, 1);
      return () => {
        for (const key of Object.keys(limits)) add(key, -1);
      };
    },
  };
}
