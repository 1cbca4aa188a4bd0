import type { Redis } from 'ioredis';
import { channel, isUuid } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';

/** A notice of a call that is in the record, and that its job receives a moment later. */
export interface QueuedCallNotice {
  callId: string;
  jobId: string;
  /** The job was created with the call: no worker has its workflow. */
  isJobNew: boolean;
  /** The request in base64, sealed. */
  sealed: string;
}

/** 32,768 characters of content have at most three times as many bytes, and those a third more in base64. */
const maxCharacters = 140_000;

const kinds = { new: true, known: false } as const;

/** Notifies the workers of the installation of a call before Temporal does. The notice may be lost. */
export function publishQueuedCall(commands: Redis, installation: string, notice: QueuedCallNotice): void {
  const { callId, jobId, isJobNew, sealed } = notice;
  const text = `${isJobNew ? 'new' : 'known'} ${jobId} ${callId} ${sealed}`;
  commands.publish(channel.queued(installation), text).catch(() => undefined);
}

/** Receives the notices of all api processes, most of them of jobs that other workers have. */
export function subscribeToQueuedCalls(
  channels: PubSub,
  installation: string,
  onQueued: (notice: QueuedCallNotice) => void,
): void {
  const name = channel.queued(installation);
  channels.subscribePermanently(name, (text) => {
    const [kind = '', jobId = '', callId = '', sealed = ''] = text.length > maxCharacters ? [] : text.split(' ');
    if (Object.hasOwn(kinds, kind) && isUuid(jobId) && isUuid(callId))
      onQueued({ callId, jobId, isJobNew: kinds[kind as keyof typeof kinds], sealed });
    else channels.reportDropped(name);
  });
}
