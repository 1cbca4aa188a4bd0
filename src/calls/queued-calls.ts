import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Secrets } from '../auth/secrets.ts';
import type { RequestOfCall } from '../db/calls/start-call.ts';
import type { Log } from '../log.ts';
import type { PubSub } from '../redis/pubsub.ts';
import { publishQueuedCall, subscribeToQueuedCalls } from '../redis/queued-calls.ts';

/** A call that is in the record, and that its job receives a moment later. */
export interface QueuedCall {
  callId: string;
  jobId: string;
  /** The job was created with it: no worker has its workflow yet. */
  isJobNew: boolean;
  /** What the models are asked. Undefined: the notice is a forgery. */
  open(): RequestOfCall | undefined;
}

/** What notifies the workers of calls before Temporal does: docs/optimisations/speculative-start.md. */
export interface QueuedCalls {
  publish(request: RequestOfCall, isJobNew: boolean): void;
  subscribe(onQueued: (call: QueuedCall) => void): void;
}

/** Every worker receives every notice: a longer request is read from the record, by the one that needs it. */
const maxRequestBytes = 4_096;
/** A call with longer options, or more models, has no notice. */
const maxContentCharacters = 32_768;

/** The rest is as this service has written it, because nobody else can seal it. */
const Content = z.looseObject({ key_sealed: z.base64().nullable() });

/** Requests are sealed: Redis is trusted neither with their texts nor with what is asked of a model in the name of a team. */
export const createQueuedCalls = (
  { commands, channels }: { commands: Redis; channels: PubSub },
  secrets: Secrets,
  installation: string,
  log: Log,
): QueuedCalls => ({
  publish(request, isJobNew) {
    const { job_id: jobId, call_id: callId, request_bytes, key_sealed } = request;
    const text = (request_bytes ?? 0) > maxRequestBytes ? null : request.request;
    const content = JSON.stringify({ ...request, request: text, key_sealed: key_sealed?.toString('base64') ?? null });
    if (content.length > maxContentCharacters) return;
    const sealed = secrets.seal(content, callId).toString('base64');
    publishQueuedCall(commands, installation, { callId, jobId, isJobNew, sealed });
  },
  subscribe(onQueued) {
    const open = (callId: string, sealed: string): RequestOfCall | undefined => {
      try {
        const content = Content.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), callId)));
        const key_sealed = content.key_sealed === null ? null : Buffer.from(content.key_sealed, 'base64');
        return { ...content, key_sealed } as unknown as RequestOfCall;
      } catch (error) {
        log.warn({ err: error, call_id: callId }, 'queued calls: notice cannot be opened');
        return undefined;
      }
    };
    subscribeToQueuedCalls(channels, installation, ({ sealed, ...call }) =>
      onQueued({ ...call, open: () => open(call.callId, sealed) }),
    );
  },
});
