import type { Channels } from './channels.ts';

/** A channel whose messages are bare workflow ids. Every process that keeps it hears all of them; who listens hears one workflow's only. */
export interface WorkflowWords {
  hear(workflowId: string): HeardWord;
}

export interface HeardWord {
  /** Aborts when it is said of the workflow from now on. */
  signal: AbortSignal;
  /** When nobody listens any more. */
  leave(): void;
}

export function keepWorkflowWords(channels: Channels, name: string): WorkflowWords {
  const listening = new Map<string, Set<AbortController>>();
  channels.keep(name, (workflowId) => {
    for (const heard of listening.get(workflowId) ?? []) heard.abort();
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
