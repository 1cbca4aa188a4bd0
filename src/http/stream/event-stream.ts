import type { CallInJob } from '../../calls/call-target.ts';
import { mayEndJob } from '../../domain/job-end.ts';

/** What the events of a stream have in common. */
export interface Naming {
  callId: string;
  /** What the client asked for: the concrete model is hidden. */
  model: string;
  /** The Unix time in seconds. */
  created: number;
}

/** What a stream can be made from again when its request is repeated: the rest is in the call's record. */
export interface StreamRecord<Options = unknown> {
  naming: Naming;
  /** What the form of the events has besides. */
  options?: Options;
  /** The call, if it ends its job. The end of the stream waits for the end of the job. */
  call?: CallInJob;
  /** The call was made without a client that waits: it is read, and never retracted. */
  isAsynchronous?: true;
}

export function newStreamRecord<Options>(
  { callId, jobId, isSingleCall, jobEnd }: CallInJob & { callId: string },
  model: string,
  options?: Options,
): StreamRecord<Options> {
  const call = { jobId, isSingleCall, jobEnd };
  return {
    naming: { callId, model, created: Math.floor(Date.now() / 1_000) },
    ...(options && { options }),
    ...(mayEndJob(call) && { call }),
  };
}

/** What a handler returns instead of an answer: the response is `text/event-stream` and each item is one event's data. */
export class EventStream {
  readonly events: AsyncIterable<string>;
  /** Undefined: a repeated request is a new stream. */
  readonly record: StreamRecord | undefined;

  constructor(events: AsyncIterable<string>, record?: StreamRecord) {
    this.events = events;
    this.record = record;
  }

  /** An event as it is written. */
  textOf(event: string): string {
    return `data: ${event}\n\n`;
  }

  /** What is written while nothing else is sent. Default: a comment. */
  keepaliveText(): string {
    return ': keepalive\n';
  }

  /** What is written after the last event. */
  readonly lastText: string = 'data: [DONE]\n\n';
}

/** A stream whose items are whole events, with names and ids, and that nothing follows. */
export class NamedEventStream extends EventStream {
  override textOf(event: string): string {
    return event;
  }

  override readonly lastText = '';
}

/** Characters that JSON leaves as they are and many clients take for the end of a line, and so of the event. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** An event's data, on one line for every client. */
export const toLine = (data: object): string =>
  JSON.stringify(data).replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** An event with a name, as it is written. */
export const namedEvent = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${toLine(data)}\n\n`;
