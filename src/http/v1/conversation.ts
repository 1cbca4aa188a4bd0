import type { ToolCall } from '../../domain/chat-message.ts';

// A conversation of Responses or Messages as the messages of a chat completion, in an order that any chat template takes. `spec 28.5`

/** A part of a message, in the form of a chat completion. */
export interface ChatPart {
  type: string;
  [field: string]: unknown;
}

export interface TextPart extends ChatPart {
  type: 'text';
  text: string;
}

/** Marks the end of what a provider should cache. It is sent as it came. */
interface Cached {
  cacheControl?: unknown;
}

interface SystemEntry {
  kind: 'system';
  parts: readonly TextPart[];
}

interface UserEntry {
  kind: 'user';
  parts: readonly ChatPart[];
}

interface AssistantEntry extends Cached {
  kind: 'assistant';
  text?: readonly TextPart[];
  refusal?: string;
  calls?: readonly ToolCall[];
  /** Sealed reasoning. Only the worker opens it, for the model that is asked. */
  sealed?: readonly string[];
}

interface ResultEntry extends Cached {
  kind: 'result';
  callId: string;
  text: string;
  /** Images and files, for which a tool message has no place. */
  media?: readonly ChatPart[];
}

/** One step of a conversation, in the order in which the client has it. */
export type Entry = SystemEntry | UserEntry | AssistantEntry | ResultEntry;

export type ChatMessage = Record<string, unknown> & { role: 'system' | 'user' | 'assistant' | 'tool' };

const blankLine = '\n\n';
const noResult = 'There is no result of this call.';

const text = (content: string): TextPart => ({ type: 'text', text: content });
const isText = (part: ChatPart): part is TextPart => part.type === 'text';
const isCached = ({ cache_control }: ChatPart): boolean => cache_control !== undefined && cache_control !== null;

/** The texts as one string; as parts where one of them is marked, with the same text when a template joins them. */
function joined(parts: readonly TextPart[], separator: string): string | TextPart[] {
  const filled = parts.filter((part) => part.text !== '' || isCached(part));
  if (!filled.some(isCached)) return filled.map((part) => part.text).join(separator);
  return filled.map((part, index) => (index > 0 ? { ...part, text: separator + part.text } : part));
}

/** One text is a plain string: some servers take nothing else. */
function contentOf(parts: readonly ChatPart[]): string | ChatPart[] {
  const filled = parts.filter((part) => !isText(part) || part.text !== '');
  const [first] = filled;
  if (!first) return '';
  return filled.length === 1 && isText(first) && !isCached(first) ? first.text : filled;
}

/** A later instruction keeps its place, so that the beginning of the prompt, which providers cache, never changes. */
function toUserParts({ parts }: SystemEntry): TextPart[] {
  const content = parts.map((part) => part.text).join(blankLine);
  const marked = parts.findLast(isCached);
  return content === '' ? [] : [{ ...marked, ...text(`<system>${content}</system>`) }];
}

const mediaParts = ({ callId, media = [] }: ResultEntry): ChatPart[] =>
  media.length > 0 ? [text(`From the result of the tool call ${callId}:`), ...media] : [];

/** A result whose call is unknown cannot be a tool message. */
const orphanParts = (result: ResultEntry): ChatPart[] => [
  text(`Result of the tool call ${result.callId}: ${result.text}`),
  ...(result.media ?? []),
];

const marked = ({ cacheControl }: Cached) =>
  cacheControl !== undefined && cacheControl !== null && { cache_control: cacheControl };

const toolMessage = (call: ToolCall, result: ResultEntry | undefined): ChatMessage => ({
  role: 'tool',
  tool_call_id: call.id,
  content: result?.text || (result ? (result.media?.length ? 'See the next message.' : '') : noResult),
  ...marked(result ?? {}),
});

/** The results of a conversation that name one id, and its calls with this id, so far. */
interface SameId {
  open: ToolCall[];
  /** The first result, which stands before the first call. */
  early: ResultEntry | undefined;
  hasCall: boolean;
}

/**
 * Finds the result of each call: the first one after it that names it, of several calls with this id the latest. A result before the first
 * call that it names is that of this call.
 */
function pairResults(entries: readonly Entry[]): Map<ToolCall, ResultEntry> {
  const results = new Map<ToolCall, ResultEntry>();
  const ids = new Map<string, SameId>();
  const sameId = (id: string): SameId => {
    const found = ids.get(id) ?? { open: [], early: undefined, hasCall: false };
    ids.set(id, found);
    return found;
  };
  for (const entry of entries) {
    if (entry.kind === 'assistant') for (const call of entry.calls ?? []) pairCall(call, sameId(call.id), results);
    if (entry.kind === 'result') pairResult(entry, sameId(entry.callId), results);
  }
  return results;
}

function pairCall(call: ToolCall, same: SameId, results: Map<ToolCall, ResultEntry>): void {
  if (same.early && !same.hasCall) results.set(call, same.early);
  else same.open.push(call);
  same.hasCall = true;
}

function pairResult(result: ResultEntry, same: SameId, results: Map<ToolCall, ResultEntry>): void {
  const call = same.open.pop();
  if (call) results.set(call, result);
  else if (!same.hasCall) same.early ??= result;
}

/** What is written of consecutive entries of the assistant, and of consecutive ones of the user. */
class Messages {
  private readonly all: ChatMessage[] = [];
  private assistant: AssistantEntry[] = [];
  private user: ChatPart[] | undefined;
  private readonly results: Map<ToolCall, ResultEntry>;
  private readonly paired: Set<ResultEntry>;

  constructor(results: Map<ToolCall, ResultEntry>) {
    this.results = results;
    this.paired = new Set(results.values());
  }

  addAssistant(entry: AssistantEntry): void {
    this.assistant.push(entry);
  }

  addUser(parts: readonly ChatPart[]): void {
    this.endAssistant();
    this.user = [...(this.user ?? []), ...parts];
  }

  /** A result follows its call, wherever it stands. That of the calls just made ends the assistant's turn. */
  addResult(result: ResultEntry): void {
    if (!this.paired.has(result)) this.addUser(orphanParts(result));
    else if (this.assistant.some(({ calls = [] }) => calls.some((call) => this.results.get(call) === result)))
      this.endAssistant();
  }

  end(): ChatMessage[] {
    this.endAssistant();
    this.endUser();
    return this.all;
  }

  private endUser(): void {
    if (this.user) this.all.push({ role: 'user', content: contentOf(this.user) });
    this.user = undefined;
  }

  private endAssistant(): void {
    const turn = this.assistant;
    this.assistant = [];
    const texts = turn.flatMap((entry, index) => textsOf(entry, index, turn));
    const calls = turn.flatMap((entry) => entry.calls ?? []);
    const content = joined(texts, '');
    // Reasoning alone is no message.
    if (content.length === 0 && calls.length === 0) return;
    this.endUser();
    const sealed = turn.flatMap((entry) => entry.sealed ?? []);
    this.all.push({
      role: 'assistant',
      content: content.length > 0 ? content : null,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(sealed.length > 0 && { sealed_reasoning: sealed }),
      ...marked(turn.findLast((entry) => marked(entry)) ?? {}),
    });
    for (const call of calls) this.all.push(toolMessage(call, this.results.get(call)));
    const media = calls.flatMap((call) =>
      mediaParts(this.results.get(call) ?? { kind: 'result', callId: '', text: '' }),
    );
    if (media.length > 0) this.user = media;
  }
}

/** The texts of one message of the model follow each other as it wrote them; a blank line separates messages. */
function textsOf(
  { text: own = [], refusal }: AssistantEntry,
  index: number,
  turn: readonly AssistantEntry[],
): TextPart[] {
  const texts = [...own, ...(refusal ? [text(refusal)] : [])].filter((part) => part.text !== '');
  const hasEarlier = turn
    .slice(0, index)
    .some((entry) => entry.refusal || entry.text?.some((part) => part.text !== ''));
  return hasEarlier && texts[0] ? [{ ...texts[0], text: blankLine + texts[0].text }, ...texts.slice(1)] : texts;
}

/**
 * The messages of a chat completion. All instructions at the beginning are one system message; later ones are texts of the user in
 * `<system>` tags. Consecutive entries of one side are one message. Each call has its result at once, in the order of the calls.
 */
export function toMessages(entries: readonly Entry[]): ChatMessage[] {
  const first = entries.findIndex(({ kind }) => kind !== 'system');
  const leading = (first < 0 ? entries : entries.slice(0, first)) as readonly SystemEntry[];
  const rest = first < 0 ? [] : entries.slice(first);
  const instructions = joined(
    leading.flatMap(({ parts }) => parts),
    blankLine,
  );
  const messages = new Messages(pairResults(rest));
  for (const entry of rest) {
    if (entry.kind === 'assistant') messages.addAssistant(entry);
    else if (entry.kind === 'result') messages.addResult(entry);
    else {
      const parts = entry.kind === 'system' ? toUserParts(entry) : entry.parts;
      if (entry.kind === 'user' || parts.length > 0) messages.addUser(parts);
    }
  }
  return [...(instructions.length > 0 ? [{ role: 'system' as const, content: instructions }] : []), ...messages.end()];
}
