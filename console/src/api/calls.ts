import { createParser } from 'eventsource-parser';
import { request, send } from './request.ts';
import type { Call, CallChunk } from './types.ts';

const callPath = (jobId: string, callId: string, rest: string): string =>
  `/api/jobs/${encodeURIComponent(jobId)}/calls/${encodeURIComponent(callId)}/${rest}`;

export const isUnderWay = ({ finished_at }: Pick<Call, 'finished_at'>): boolean => finished_at === null;

export const stopCall = (jobId: string, callId: string, idempotencyKey: string): Promise<Call> =>
  request('POST', callPath(jobId, callId, 'stop'), { idempotencyKey });

/** An event of the stream of a call: a piece of the answer, why the call failed, or the end of the stream. */
export interface CallEvent {
  id: string | undefined;
  content: CallChunk | { error: { message: string } } | 'end';
}

/**
 * The answer of a call as it is written, from behind the event `lastId` on. `onEvent` receives its events, and `onRetry` after how many
 * milliseconds to read on. Resolves when the connection has ended, whether the stream has or not.
 */
export async function readCallStream(
  { jobId, callId, lastId, signal }: { jobId: string; callId: string; lastId: string | undefined; signal: AbortSignal },
  { onEvent, onRetry }: { onEvent: (event: CallEvent) => void; onRetry: (ms: number) => void },
): Promise<void> {
  const headers = { Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) };
  const response = await send('GET', callPath(jobId, callId, 'stream'), { headers, signal });
  if (response.status === 204) return onEvent({ id: lastId, content: 'end' });
  return readEvents(response, { onEvent, onRetry });
}

interface EventHandlers {
  onEvent: (event: CallEvent) => void;
  onRetry?: (ms: number) => void;
}

/** The events of an answer that is a stream, until its connection ends. */
export async function readEvents(response: Response, { onEvent, onRetry }: EventHandlers): Promise<void> {
  const parser = createParser({
    onEvent: ({ id, data }) => onEvent({ id, content: data === '[DONE]' ? 'end' : JSON.parse(data) }),
    onRetry,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(read.value);
}
