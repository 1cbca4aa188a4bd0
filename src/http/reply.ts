import type { Response } from 'express';
import { EventStream } from './stream/event-stream.ts';
import { writeEventStream } from './stream/write-event-stream.ts';

/** A reply, as text already: a repeated request gets the same bytes. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | EventStream;
}

/** The reply of a handler's answer. `produces`: the answer is text of this type. */
export const replyOf = (answer: unknown, produces?: string): Reply => ({
  status: 200,
  headers: produces ? { 'Content-Type': produces } : {},
  body: answer instanceof EventStream ? answer : produces ? String(answer) : JSON.stringify(answer),
});

/** A client that has taken nothing of its answer for so long will not. As it reads, however slowly, the time begins anew. */
const unreadMs = 120_000;
/** An answer that a connection's own buffers hold takes none of our memory. */
const largeAnswer = 65_536;
export const isLargeAnswer = (body: string): boolean => body.length > largeAnswer;

/**
 * Sends the reply, a stream to its end or until `gone`. Does nothing for a client that has been answered. Breaks the connection
 * of a client that does not read a large answer or a stream.
 */
export async function sendReply(
  response: Response,
  { status, headers, body }: Reply,
  gone: AbortSignal,
  patienceMs = unreadMs,
): Promise<void> {
  if (response.headersSent) return;
  response.status(status).set(headers);
  if (body instanceof EventStream) return writeEventStream(response, body, gone, patienceMs);
  if (isLargeAnswer(body)) response.setTimeout(patienceMs);
  response.type(headers['Content-Type'] ?? 'json').send(body);
}
