import type { Redis } from 'ioredis';
import { channel, isUuid } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** A notice of a call that is in the record, and that its job receives a moment later. */
export interface QueuedCallNotice {
  callId: string;
  jobId: string;
  /** No worker has its job's workflow yet. */
  isJobNew: boolean;
  /** The request in base64, sealed. */
  sealed: string;
}

/** 32,768 characters of content have at most three times as many bytes, and those a third more in base64. */
const maxCharacters = 140_000;

/** Notifies the workers of the installation of a call before Temporal does. The notice may be lost. */
export function publishQueuedCall(commands: Redis, installation: string, notice: QueuedCallNotice): void {
  const { callId, jobId, isJobNew, sealed } = notice;
  const job = isJobNew ? 'new' : 'open';
  commands.publish(channel.queued(installation), `${jobId} ${callId} ${job} ${sealed}`).catch(() => undefined);
}

/** Receives the notices of all api processes, most of them of jobs that other workers have. */
export function subscribeToQueuedCalls(
  channels: PubSub,
  installation: string,
  onQueued: (notice: QueuedCallNotice) => void,
): void {
  const name = channel.queued(installation);
  channels.subscribePermanently(name, (text) => {
    const [jobId = '', callId = '', job, sealed = ''] = text.length > maxCharacters ? [] : text.split(' ');
    if (isUuid(jobId) && isUuid(callId)) onQueued({ callId, jobId, isJobNew: job === 'new', sealed });
    else channels.reportDropped(name);
  });
}
