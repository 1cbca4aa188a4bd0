import { idOfWorkflow } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** Characters. The id of a job's workflow has 40; longer texts are not looked at. */
const longestId = 200;

/**
 * A channel whose messages are bare workflow ids. Every process that keeps it receives all of them; a listener hears only of
 * its own workflow.
 */
export interface WorkflowBroadcasts {
  hear(workflowId: string): HeardBroadcast;
}

export interface HeardBroadcast {
  /** Aborts at the next broadcast about the workflow. */
  signal: AbortSignal;
  /** Stops listening. */
  leave(): void;
}

export function keepWorkflowBroadcasts(channels: PubSub, name: string): WorkflowBroadcasts {
  const listening = new Map<string, Set<AbortController>>();
  channels.subscribePermanently(name, (workflowId) => {
    const all = workflowId.length > longestId ? undefined : listening.get(workflowId);
    // Most ids are of workflows of other processes.
    if (!all && !idOfWorkflow.job(workflowId)) return channels.reportDropped(name);
    for (const heard of all ?? []) heard.abort();
  });

  return {
    hear(workflowId) {
      const heard = new AbortController();
      const all = listening.get(workflowId) ?? new Set();
      listening.set(workflowId, all.add(heard));
      return {
        signal: heard.signal,
        leave() {
          all.delete(heard);
          if (all.size === 0) listening.delete(workflowId);
        },
      };
    },
  };
}
