import { setTimeout as pause } from 'node:timers/promises';
import { ThreadShare } from '../answer/thread-share.ts';
import { unreadable } from '../upstream-error.ts';
import { type Numbers, readVector } from './read-embeddings.ts';

/** 2,048 vectors of 3,072 numbers of 22 characters, which are the longest that are usual. */
const maxAnswerCharacters = 144 * 1_048_576;
/** One vector, and what is left of an answer without its vectors. */
const maxPartCharacters = 4 * 1_048_576;

const keyAt = /(?<!\\)"embedding"\s*:\s*(?=[["])/g;
/** No key of a vector that is cut between two pieces is longer, but for blanks. */
const keyCharacters = 64;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * An answer while it arrives. Each vector is read and let go as soon as it is there: an answer of a hundred megabytes is never in memory as
 * a whole, and other calls run between its vectors.
 */
class Arriving {
  readonly vectors: (Numbers | undefined)[] = [];
  private rest = '';
  private text = '';

  /** Takes the vectors out of what has arrived, and leaves their numbers in their places. */
  add(piece: string, isEnd = false): void {
    this.text += piece;
    let from = 0;
    for (const key of this.text.matchAll(keyAt)) {
      if (key.index < from) continue;
      const start = key.index + key[0].length;
      const end = this.text.indexOf(this.text[start] === '[' ? ']' : '"', start + 1);
      if (end < 0) break;
      this.rest += `${this.text.slice(from, start)}"#${this.vectors.length}"`;
      this.vectors.push(readVector(parsed(this.text.slice(start, end + 1))));
      from = end + 1;
    }
    const left = this.text.slice(from);
    const isOpen = !isEnd && left.search(keyAt) >= 0;
    const kept = isEnd ? 0 : isOpen ? left.length : Math.min(left.length, keyCharacters);
    this.rest += left.slice(0, left.length - kept);
    this.text = left.slice(left.length - kept);
    if (Math.max(this.rest.length, this.text.length) > maxPartCharacters) throw unreadable();
  }

  /** The answer, with `#0`, `#1` … for its vectors. */
  end(): string {
    this.add('', true);
    return this.rest;
  }
}

export interface EmbeddingsAnswer {
  /** Its text, with `#0`, `#1` … in the places of its vectors. */
  text: string;
  /** Undefined: it is none. */
  vectors: readonly (Numbers | undefined)[];
}

/** Reads the whole answer. Throws `UpstreamError` for one that is too long. */
export async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<EmbeddingsAnswer> {
  const arriving = new Arriving();
  const decoder = new TextDecoder();
  const thread = new ThreadShare();
  let characters = 0;
  for await (const bytes of body) {
    characters += bytes.length;
    if (characters > maxAnswerCharacters) throw unreadable();
    thread.measure(() => arriving.add(decoder.decode(bytes, { stream: true })));
    if (thread.pauseMs > 0) await pause(thread.pauseMs);
  }
  arriving.add(decoder.decode());
  return { text: arriving.end(), vectors: arriving.vectors };
}
