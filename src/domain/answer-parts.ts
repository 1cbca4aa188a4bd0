import {
  type Annotation,
  type Delta,
  deltaKinds,
  type Message,
  type Piece,
  type ToolCall,
  type ToolCallDelta,
  textFields,
} from './chat-message.ts';

/** The pieces that a delta adds to a message, in their order. */
export const piecesOfDelta = (delta: Delta): Piece[] =>
  deltaKinds.flatMap((kind): Piece[] => {
    if (kind === 'tool_calls') return (delta.tool_calls ?? []).map(pieceOfTool);
    const length = delta[kind]?.length ?? 0;
    return length > 0 ? [[kind, length]] : [];
  });

const pieceOfTool = ({ index, function: called }: ToolCallDelta): Piece => [
  `tool:${index}`,
  called?.arguments?.length ?? 0,
];

/** Without those of tool calls that the message does not have, because it was stopped before they were complete. */
export const piecesOf = ({ toolCalls = [] }: Message, pieces: readonly Piece[]): Piece[] =>
  pieces.filter(([kind]) => !kind.startsWith('tool:') || toolIndex(kind) < toolCalls.length);

/** Adds pieces to others; those of one kind that follow each other become one. */
export function addPieces(order: Piece[], more: readonly Piece[]): void {
  for (const [kind, length] of more) {
    const last = order.at(-1);
    if (last?.[0] === kind) last[1] += length;
    else order.push([kind, length]);
  }
}

/** Where a message has no order, its parts follow each other so. */
const usualOrder = (message: Message): Piece[] => [
  ...textFields.map((field): Piece => [field, message[field]?.length ?? 0]),
  ...(message.toolCalls ?? []).map(({ function: called }, index): Piece => [`tool:${index}`, called.arguments.length]),
  ['annotations', message.annotations?.length ?? 0],
];

/** Whether parts that follow each other so need no order in the record. */
export function isUsualOrder(order: readonly Piece[]): boolean {
  const ranks = order.map(([kind]) =>
    kind.startsWith('tool:')
      ? textFields.length + toolIndex(kind)
      : textFields.indexOf(kind as (typeof textFields)[number]),
  );
  return ranks.every((rank, index) => rank >= 0 && rank > (ranks[index - 1] ?? -1));
}

const toolIndex = (kind: string): number => Number(kind.slice('tool:'.length));

/** What was sent of each part of a message: characters, or members of a list. A tool call that has begun is there with 0 or more. */
function sentLengths(sent: Message): Map<string, number> {
  const texts = textFields.map((field) => [field, sent[field]?.length ?? 0] as const);
  const tools = (sent.toolCalls ?? []).map(
    ({ function: called }, index) => [`tool:${index}`, called.arguments.length] as const,
  );
  return new Map([
    ...texts,
    ...tools,
    ['annotations', sent.annotations?.length ?? 0],
    ['states', sent.states?.length ?? 0],
  ]);
}

/** A stream may have half surrogate pairs, and end between the halves of one; the record has none: `wholeMessage`. */
const isBeginningOfText = (sent: string, text: string): boolean =>
  text.slice(0, sent.length).toWellFormed() === sent.toWellFormed();

function isBeginning(sent: Message, message: Message): boolean {
  return (
    textFields.every((field) => isBeginningOfText(sent[field] ?? '', message[field] ?? '')) &&
    (sent.toolCalls ?? []).every(({ function: called }, index) => {
      const recorded = message.toolCalls?.[index]?.function;
      return recorded && isBeginningOfText(called.arguments, recorded.arguments);
    })
  );
}

function deltaOf(message: Message, kind: Piece[0], [from, to]: readonly [number, number], isBegun: boolean): Delta {
  if (kind === 'annotations' || kind === 'states') return { [kind]: message[kind]?.slice(from, to) };
  if (!kind.startsWith('tool:')) return { [kind]: message[kind as (typeof textFields)[number]]?.slice(from, to) };
  const index = toolIndex(kind);
  const call = message.toolCalls![index]!;
  const json = call.function.arguments.slice(from, to);
  if (isBegun) return { tool_calls: [{ index, function: { arguments: json } }] };
  return { tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: json } }] };
}

/** Tool calls that follow each other in one delta. */
function joinToolCalls(deltas: readonly Delta[]): Delta[] {
  const joined: Delta[] = [];
  for (const delta of deltas) {
    const last = joined.at(-1);
    if (last?.tool_calls && delta.tool_calls) last.tool_calls.push(...delta.tool_calls);
    else joined.push(delta);
  }
  return joined;
}

/**
 * What of a message comes after what was sent of it, in the order in which the model wrote, and in the pieces in which it came where
 * the record has them. Undefined: what was sent is not its beginning.
 */
export function deltasAfter(message: Message, sent: Message): Delta[] | undefined {
  if (!isBeginning(sent, message)) return undefined;
  const sentOf = sentLengths(sent);
  const begun = new Set(sentOf.keys());
  const done = new Map<string, number>();
  const deltas: Delta[] = [];
  for (const [kind, length] of message.order ?? usualOrder(message)) {
    // A call that was stopped keeps no tool call whose arguments are incomplete.
    if (kind.startsWith('tool:') && !message.toolCalls?.[toolIndex(kind)]) continue;
    const from = done.get(kind) ?? 0;
    const to = from + length;
    done.set(kind, to);
    const next = Math.max(from, sentOf.get(kind) ?? 0);
    const isNewCall = kind.startsWith('tool:') && !begun.has(kind);
    if (next < to || isNewCall) deltas.push(deltaOf(message, kind, [next, to], begun.has(kind)));
    begun.add(kind);
  }
  return joinToolCalls(deltas);
}

/** The whole message as a stream has it. */
export const deltasOf = (message: Message): Delta[] => deltasAfter(message, { content: '' })!;

/** The base64 of a state of 256 KiB, and what sealing adds. */
const maxShownState = Math.ceil((262_144 * 4) / 3) + 256;

/**
 * A sealed state as a client is given it. A longer one stays in the record, from which a reference brings it back; frames have an empty text
 * in its place. `spec 31.1`
 */
export const shownState = (sealed: string): string | undefined =>
  sealed !== '' && sealed.length <= maxShownState ? sealed : undefined;

/** What is published of a piece of an answer. */
export const publishedDelta = (delta: Delta): Delta =>
  delta.states ? { ...delta, states: delta.states.map((sealed) => shownState(sealed) ?? '') } : delta;

/** A part of an answer as the model wrote it. `sealed`: what brings the model's own state of it back. */
export type AnswerPart =
  | { type: 'reasoning'; text: string; sealed?: string | undefined }
  | { type: 'text'; text: string; annotations?: Annotation[] }
  | { type: 'refusal'; text: string }
  | { type: 'tool_call'; call: ToolCall };

/** The parts of an answer in the order in which the model wrote them. */
export function partsOf(message: Message): AnswerPart[] {
  const parts: AnswerPart[] = [];
  const begun = new Set<number>();
  for (const delta of deltasOf(message)) {
    addText(parts, 'reasoning', delta.reasoning_content);
    addText(parts, 'text', delta.content);
    addText(parts, 'refusal', delta.refusal);
    for (const sealed of delta.states ?? []) addState(parts, sealed);
    for (const { index } of delta.tool_calls ?? []) {
      if (!begun.has(index)) parts.push({ type: 'tool_call', call: message.toolCalls![index]! });
      begun.add(index);
    }
    if (delta.annotations) annotate(parts, delta.annotations);
  }
  return parts;
}

function addText(parts: AnswerPart[], type: 'reasoning' | 'text' | 'refusal', text: string | undefined): void {
  if (!text) return;
  const last = parts.at(-1);
  if (last?.type === type && !('sealed' in last)) last.text += text;
  else parts.push({ type, text });
}

/** It ends the reasoning before it, or else is one without a text. */
function addState(parts: AnswerPart[], sealed: string): void {
  const last = parts.at(-1);
  if (last?.type === 'reasoning' && !last.sealed) last.sealed = sealed;
  else parts.push({ type: 'reasoning', text: '', sealed });
}

function annotate(parts: AnswerPart[], annotations: Annotation[]): void {
  const last = parts.findLast((part) => part.type === 'text');
  if (last) last.annotations = [...(last.annotations ?? []), ...annotations];
  else parts.push({ type: 'text', text: '', annotations });
}
