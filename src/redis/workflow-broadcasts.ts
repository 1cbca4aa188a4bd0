import { idOfWorkflow } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** The characters of an id. That of a job's workflow has 40; longer texts are ignored. */
const maxIdCharacters = 200;

/**
 * A channel whose messages are bare workflow ids. Every process that subscribes receives all of them; a subscription is notified
 * of its own workflow only.
 */
export interface WorkflowBroadcasts {
  subscribe(workflowId: string): BroadcastSubscription;
}

export interface BroadcastSubscription {
  /** Aborts at the next broadcast about the workflow. */
  signal: AbortSignal;
  unsubscribe(): void;
}

export function createWorkflowBroadcasts(channels: PubSub, name: string): WorkflowBroadcasts {
  const subscriptions = new Map<string, Set<AbortController>>();
  channels.subscribePermanently(name, (workflowId) => {
    const all = workflowId.length > maxIdCharacters ? undefined : subscriptions.get(workflowId);
    // Most ids are of workflows of other processes.
    if (!all && !idOfWorkflow.job(workflowId)) return channels.reportDropped(name);
    for (const subscription of all ?? []) subscription.abort();
  });

  return {
    subscribe(workflowId) {
      const subscription = new AbortController();
      const all = subscriptions.get(workflowId) ?? new Set();
      subscriptions.set(workflowId, all.add(subscription));
      return {
        signal: subscription.signal,
        unsubscribe() {
          all.delete(subscription);
          if (all.size === 0) subscriptions.delete(workflowId);
        },
      };
    },
  };
}
