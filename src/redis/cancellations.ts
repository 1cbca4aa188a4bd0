import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';
import { createWorkflowBroadcasts, type WorkflowBroadcasts } from './workflow-broadcasts.ts';

/** Tells all workers which workflow's activities to abort. Temporal tells them too, with a heartbeat, some seconds later. */
export interface Cancellations extends WorkflowBroadcasts {
  /** Rejects when Redis is away. */
  say(workflowId: string): Promise<unknown>;
}

export const createCancellations = (commands: Redis, channels: PubSub): Cancellations => ({
  ...createWorkflowBroadcasts(channels, channel.cancelled),
  say: (workflowId) => commands.publish(channel.cancelled, workflowId),
});
