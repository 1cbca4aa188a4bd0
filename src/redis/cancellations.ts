import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { Channels } from './channels.ts';
import { keepWorkflowWords } from './workflow-words.ts';

/** Workflows whose activities are to be aborted, said to all workers: what Temporal tells them too, with a heartbeat, some seconds later. */
export interface Cancellations {
  /** Rejects when Redis is away. */
  say(workflowId: string): Promise<unknown>;
  /** Aborts when it is said of this workflow from now on. `leave` when nobody listens any more. */
  hear(workflowId: string): { signal: AbortSignal; leave(): void };
}

export function createCancellations(commands: Redis, channels: Channels): Cancellations {
  const cancelled = keepWorkflowWords(channels, channel.cancelled);
  return {
    say: (workflowId) => commands.publish(channel.cancelled, workflowId),
    hear(workflowId) {
      const controller = new AbortController();
      const { leave } = cancelled.hear(workflowId, () => controller.abort());
      return { signal: controller.signal, leave };
    },
  };
}
