import type { Channels } from './channels.ts';

/** A channel whose messages are bare workflow ids. Every process that keeps it hears all of them; a listener hears its own workflow only. */
export interface WorkflowWords {
  /** `leave` when nobody listens any more. */
  hear(workflowId: string, listener: () => void): { leave(): void };
}

export function keepWorkflowWords(channels: Channels, name: string): WorkflowWords {
  const listening = new Map<string, Set<() => void>>();
  channels.keep(name, (workflowId) => {
    for (const listener of listening.get(workflowId) ?? []) listener();
  });

  return {
    hear(workflowId, listener) {
      const all = listening.get(workflowId) ?? new Set();
      listening.set(workflowId, all.add(listener));
      return {
        leave() {
          all.delete(listener);
          if (all.size === 0) listening.delete(workflowId);
        },
      };
    },
  };
}
