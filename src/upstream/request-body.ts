import type { AnswerParts } from '../domain/call-options.ts';
import { type OptionalField, withoutOptional } from '../domain/optional-fields.ts';
import type { SealReasoning } from './answer/reasoning-state.ts';

/** The fields of a request as JSON texts of objects, each with names of its own. */
export interface RequestFields {
  /** The fields of the client that the model permits beyond the known ones. */
  extra: string;
  /** The others, as they are stored: without `model` and the fields of streaming. */
  request: string;
}

/** The source of the body of a request: it is opened for each model that the request is sent to. */
export interface RequestSource {
  /** Waits where a long body has to. Rejects with the reason of the signal when it was aborted. */
  open(request: { model: string; streamed: boolean; signal: AbortSignal }): Promise<OpenBody>;
}

export interface OpenBody {
  content: string | SentOnce;
  /** Which parts of the answer are read. */
  parts: AnswerParts;
  /** Seals what the model needs to go on reasoning. */
  seal: SealReasoning;
  /** The texts at which the model is asked to stop, where the client is shown which one it was. */
  stops?: readonly string[];
  /** Leaves these fields out of further requests to the model, for an hour. False: none of them was sent. */
  leaveOut(fields: readonly OptionalField[]): boolean;
  /** Of a request for embeddings: how many vectors it is for. */
  inputs?: number | undefined;
  /** The body has been sent, or is not needed. A second call does nothing. */
  close(): void;
}

const membersOf = (object: string): string => object.slice(object.indexOf('{') + 1, object.lastIndexOf('}'));

/**
 * The JSON text of a body: the fields as they are, then the model and what requests a stream. Texts are joined and not parsed, so
 * that a number stays as it was written and a long request is no object. `refused`: optional fields that the model does not take.
 */
export function buildBody(
  { extra, request }: RequestFields,
  model: string,
  streamed: boolean,
  refused: ReadonlySet<OptionalField> = new Set(),
): string {
  const own = JSON.stringify({
    model,
    ...(streamed && { stream: true }),
    ...(streamed && !refused.has('stream_options') && { stream_options: { include_usage: true } }),
  });
  const members = [extra, withoutOptional(request, refused), own].map(membersOf).filter((text) => text.trim() !== '');
  return `{${members.join(',')}}`;
}

const pieceBytes = 262_144;

/**
 * A long body, which is let go once it is sent, long before the model has answered. undici keeps what it is given until the answer
 * has come, so it is given this and not the bytes.
 */
export class SentOnce implements AsyncIterable<Uint8Array> {
  readonly length: number;
  private bytes: Uint8Array | undefined;
  private readonly onSent: () => void;

  constructor(bytes: Uint8Array, onSent: () => void) {
    this.length = bytes.length;
    this.bytes = bytes;
    this.onSent = onSent;
  }

  /** The connection takes a piece when it has written the one before. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const bytes = this.take();
    try {
      for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
    } finally {
      this.onSent();
    }
  }

  /** Releases a body whose sending never began. */
  drop(): void {
    this.bytes = undefined;
  }

  private take(): Uint8Array {
    const { bytes } = this;
    if (!bytes) throw new Error('this body was sent before');
    this.bytes = undefined;
    return bytes;
  }
}
