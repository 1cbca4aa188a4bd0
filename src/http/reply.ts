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

/** Sends the reply, a stream to its end or until `gone`. Does nothing for a client that has been answered. */
export async function sendReply(
  response: Response,
  { status, headers, body }: Reply,
  gone: AbortSignal,
): Promise<void> {
  if (response.headersSent) return;
  response.status(status).set(headers);
  if (body instanceof EventStream) await writeEventStream(response, body, gone);
  else response.type(headers['Content-Type'] ?? 'json').send(body);
}
