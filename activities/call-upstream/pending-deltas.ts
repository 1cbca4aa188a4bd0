import { piecesOfDelta } from '../../src/domain/answer-parts.ts';
import { shorten } from '../../src/domain/call-state.ts';
import {
  type Delta,
  type DeltaKind,
  deltaKinds,
  lengthOfDelta,
  type Piece,
  pushAll,
  type ToolCallDelta,
  textFields,
} from '../../src/domain/chat-message.ts';

/** Characters in a frame: ten megabytes at once would block Redis, for every process, longer than a command may take. */
const maxCharacters = 65_536;

/** What is known of a delta, so that others are added to it without reading it again. */
interface Pending {
  kind: DeltaKind;
  delta: Delta;
  size: number;
}

/**
 * The deltas of a stream that are not published yet, in order, joined to as few as hold them: to add one costs the same however many
 * wait. Each has one kind of content: a client that finds a text in a chunk does not look for reasoning in it. Tool call pieces stay
 * pieces: a reader appends them as they come.
 */
export class PendingDeltas {
  private readonly all: Pending[] = [];

  add(delta: Delta): void {
    for (const kind of deltaKinds) {
      if (!delta[kind]) continue;
      for (const part of splitDelta({ [kind]: delta[kind] })) this.addPart(kind, part);
    }
  }

  private addPart(kind: DeltaKind, part: Delta): void {
    const size = lengthOfDelta(part);
    const last = this.all.at(-1);
    if (last?.kind === kind && last.size + size <= maxCharacters) {
      addTo(last.delta, part);
      last.size += size;
    } else this.all.push({ kind, delta: addTo({}, part), size });
  }

  /** What they add to a message. */
  get pieces(): Piece[] {
    return this.all.flatMap(({ delta }) => piecesOfDelta(delta));
  }

  /** The first of them; undefined if there is none. */
  take(): Delta | undefined {
    return this.all.shift()?.delta;
  }
}

function addTo(delta: Delta, more: Delta): Delta {
  for (const field of textFields) if (more[field]) delta[field] = (delta[field] ?? '') + more[field];
  if (more.tool_calls) {
    delta.tool_calls ??= [];
    pushAll(delta.tool_calls, more.tool_calls);
  }
  if (more.annotations) {
    delta.annotations ??= [];
    pushAll(delta.annotations, more.annotations);
  }
  if (more.states) delta.states = [...(delta.states ?? []), ...more.states];
  return delta;
}

/** A delta that is too long for one frame in parts that are not: texts are cut between characters. */
function* splitDelta(delta: Delta): Generator<Delta> {
  if (lengthOfDelta(delta) <= maxCharacters) return yield delta;
  for (const field of textFields) for (const text of cut(delta[field] ?? '')) yield { [field]: text };
  for (const piece of delta.tool_calls ?? []) for (const part of partsOfPiece(piece)) yield { tool_calls: [part] };
  for (const annotation of delta.annotations ?? []) yield { annotations: [annotation] };
  for (const state of delta.states ?? []) yield { states: [state] };
}

/** The first part has the id and the name. */
function* partsOfPiece(piece: ToolCallDelta): Generator<ToolCallDelta> {
  const [first, ...rest] = cut(piece.function?.arguments ?? '');
  if (first === undefined) return yield piece;
  yield { ...piece, function: { ...piece.function, arguments: first } };
  for (const json of rest) yield { index: piece.index, function: { arguments: json } };
}

function* cut(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    // One unit more, so that `shorten` finds a text that goes on.
    const part = shorten(text.slice(from, from + maxCharacters + 1), maxCharacters);
    yield part;
    from += part.length;
  }
}
