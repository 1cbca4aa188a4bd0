import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';
import { createWorkflowBroadcasts, type WorkflowBroadcasts } from './workflow-broadcasts.ts';

/** Notifies all workers of the workflows whose activities to abort. Temporal does so too, with a heartbeat, some seconds later. */
export interface Cancellations extends WorkflowBroadcasts {
  /** Rejects when Redis is unavailable. */
  publish(workflowId: string): Promise<unknown>;
}

export const createCancellations = (commands: Redis, channels: PubSub): Cancellations => ({
  ...createWorkflowBroadcasts(channels, channel.cancelled),
  publish: (workflowId) => commands.publish(channel.cancelled, workflowId),
});
