import { type Embeddings, lengthOfEmbeddings } from './embeddings.ts';

/** The most tool calls of a message. An answer of an upstream that has more is refused. */
export const maxToolCalls = 128;

/** A piece of a tool call in a stream. `index` is that of the tool call which it begins or continues. */
export interface ToolCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
  /** The upstream sent it as a `function_call`, the predecessor of tool calls, which has no id. Of the piece that begins it. */
  isFunctionCall?: true;
}

/** A source that the model names for a part of its text. */
export interface Annotation {
  type: 'url_citation';
  url_citation: { url: string; title?: string; start_index?: number; end_index?: number };
}

/** The texts of a message, in the order in which a model writes them. */
export const textFields = ['reasoning_content', 'content', 'refusal'] as const;
type Texts = Partial<Record<(typeof textFields)[number], string>>;

export interface Delta extends Texts {
  tool_calls?: ToolCallDelta[];
  annotations?: Annotation[];
  /** Sealed reasoning, which ends the reasoning before it, or belongs to what follows. Only of a call with `parts: 'sealed'`. */
  states?: string[];
}

/** What a delta may have, in the order in which a model writes the parts of one chunk. A delta that is published has one kind. */
export const deltaKinds = [...textFields, 'states', 'tool_calls', 'annotations'] as const satisfies (keyof Delta)[];
export type DeltaKind = (typeof deltaKinds)[number];

/** So many characters of a text or of the arguments of a tool call, or so many annotations or states, came next. */
export type Piece = [kind: Exclude<DeltaKind, 'tool_calls'> | `tool:${number}`, length: number];

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  isFunctionCall?: true;
}

/** The model's message. */
export interface Message extends Texts {
  content: string;
  toolCalls?: ToolCall[];
  annotations?: Annotation[];
  /** What the model needs to go on reasoning, sealed. */
  states?: string[];
  /** In which order the model wrote. Absent: reasoning, text, refusal, tool calls, annotations. */
  order?: Piece[];
  /** The text of the request at which the model stopped, where its upstream names it. Only of a call with `parts: 'sealed'`. */
  stopSequence?: string;
  /** Of a call of embeddings, whose message has nothing else. */
  embeddings?: Embeddings;
}

/** Appends each item. `push(...more)` makes each an argument on the stack, which a hundred thousand of them exceed. */
export function pushAll<T>(all: T[], more: readonly T[]): void {
  for (const one of more) all.push(one);
}

/** Adds the content of a chunk to the message. */
export function append(message: Message, delta: Delta): void {
  for (const field of textFields) {
    if (delta[field] !== undefined) message[field] = (message[field] ?? '') + delta[field];
  }
  if (delta.annotations) {
    message.annotations ??= [];
    pushAll(message.annotations, delta.annotations);
  }
  if (delta.states) message.states = [...(message.states ?? []), ...delta.states];
  if (!delta.tool_calls) return;
  message.toolCalls ??= [];
  for (const chunk of delta.tool_calls) appendToolCall(message.toolCalls, chunk);
}

function appendToolCall(toolCalls: ToolCall[], chunk: ToolCallDelta): void {
  const { index, id, function: called, isFunctionCall } = chunk;
  const known = toolCalls[index];
  const call = known ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
  toolCalls[index] = call;
  if (isFunctionCall) call.isFunctionCall = true;
  call.id ||= id ?? '';
  call.function.name ||= called?.name ?? '';
  call.function.arguments += called?.arguments ?? '';
}

export const hasToolCalls = ({ toolCalls = [] }: Message): boolean => toolCalls.length > 0;

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
};

/** The message without the tool calls from the first on whose arguments are incomplete: nobody could answer that. */
export function withCompleteToolCalls({ toolCalls = [], ...rest }: Message): Message {
  const incomplete = toolCalls.findIndex(({ function: called }) => !isJsonObject(called.arguments));
  const complete = incomplete === -1 ? toolCalls : toolCalls.slice(0, incomplete);
  return { ...rest, ...(complete.length > 0 && { toolCalls: complete }) };
}

/** A message without anything, or with an empty text alone. One that a stop string has ended is an answer. */
export const isEmptyMessage = (message: Message): boolean =>
  textFields.every((field) => !message[field]) &&
  !message.toolCalls?.length &&
  !message.annotations?.length &&
  !message.states?.length &&
  message.stopSequence === undefined &&
  !message.embeddings;

/** The message as it is recorded, without half surrogate pairs. Not done for each chunk, because a pair may be split between two. */
export function wholeMessage({
  toolCalls,
  annotations,
  states,
  order,
  stopSequence,
  embeddings: _,
  ...texts
}: Message): Message {
  const calls = toolCalls?.map(({ id, function: called, ...rest }) => ({
    ...rest,
    id: id.toWellFormed(),
    function: { name: called.name.toWellFormed(), arguments: called.arguments.toWellFormed() },
  }));
  const wellFormed = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text.toWellFormed()]));
  return {
    ...wellFormed,
    content: texts.content.toWellFormed(),
    ...(calls?.length && { toolCalls: calls }),
    ...(annotations?.length && { annotations }),
    ...(states && { states }),
    ...(order && { order }),
    ...(stopSequence !== undefined && { stopSequence: stopSequence.toWellFormed() }),
  };
}

/** The characters of the texts, of the ids, names and arguments of tool calls, and of vectors. */
export const lengthOfMessage = (message: Message): number =>
  textFields.reduce((sum, field) => sum + (message[field]?.length ?? 0), 0) +
  lengthOfEmbeddings(message.embeddings) +
  (message.toolCalls ?? []).reduce(
    (sum, { id, function: called }) => sum + id.length + called.name.length + called.arguments.length,
    0,
  );

/** The same of a piece of a message, with its annotations as JSON. No more than its bytes. */
export const lengthOfDelta = ({ tool_calls = [], annotations, states = [], ...texts }: Delta): number =>
  lengthOfMessage({ content: '', ...texts }) +
  (annotations ? JSON.stringify(annotations).length : 0) +
  states.reduce((sum, { length }) => sum + length, 0) +
  tool_calls.reduce((sum, { id = '', function: called }) => {
    const { name = '', arguments: json = '' } = called ?? {};
    return sum + id.length + name.length + json.length;
  }, 0);
