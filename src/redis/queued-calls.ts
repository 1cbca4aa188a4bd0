import type { Redis } from 'ioredis';
import { channel, isUuid } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** A call that is in the record, and that its job receives a moment later. */
export interface QueuedCall {
  callId: string;
  jobId: string;
  /** The job was created with the call: no worker has its workflow. */
  isJobNew: boolean;
}

/** What notifies the workers of calls before Temporal does. A notice may be lost. */
export interface QueuedCalls {
  publish(call: QueuedCall): void;
}

const kinds = { new: true, known: false } as const;

export const createQueuedCalls = (commands: Redis, installation: string): QueuedCalls => ({
  publish({ callId, jobId, isJobNew }) {
    const text = `${isJobNew ? 'new' : 'known'} ${jobId} ${callId}`;
    commands.publish(channel.queued(installation), text).catch(() => undefined);
  },
});

/** Receives the calls of all api processes, most of them of jobs that other workers have. */
export const subscribeToQueuedCalls = (
  channels: PubSub,
  installation: string,
  onQueued: (call: QueuedCall) => void,
): void => {
  const name = channel.queued(installation);
  channels.subscribePermanently(name, (text) => {
    const [kind = '', jobId = '', callId = ''] = text.length > 100 ? [] : text.split(' ');
    if (Object.hasOwn(kinds, kind) && isUuid(jobId) && isUuid(callId))
      onQueued({ callId, jobId, isJobNew: kinds[kind as keyof typeof kinds] });
    else channels.reportDropped(name);
  });
};
