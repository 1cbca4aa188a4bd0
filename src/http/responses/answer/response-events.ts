import { deltasOf } from '../../../domain/answer-parts.ts';
import type { SucceededResult } from '../../../domain/call-result.ts';
import type { Annotation, Delta, Message, ToolCallDelta } from '../../../domain/chat-message.ts';
import { meaningOfFinish, stopped } from '../../../domain/finish-reason.ts';
import type { TokenUsage } from '../../../domain/pricing.ts';
import { type CalledTools, toolOf } from './called-tools.ts';
import {
  CallItem,
  type ItemStatus,
  MessageItem,
  type OutputItem,
  type Position,
  ReasoningItem,
  type ShowsStates,
} from './output-items.ts';
import {
  type ResponseFailure,
  type ResponseHead,
  type ResponseObject,
  type ResponseState,
  toResponse,
} from './response-object.ts';

export interface ResponseEvent {
  type: string;
  sequence_number: number;
  [field: string]: unknown;
}

/** What a response is made of beside its answer. */
export interface ResponseRecord {
  callId: string;
  head: ResponseHead;
  tools: CalledTools;
  showsStates: ShowsStates;
}

/** An item in the order of the output. Only the first one that has not ended is written; the others wait. */
interface Queued {
  kind: 'reasoning' | 'message' | 'call';
  /** What is written later. */
  waiting: (() => void)[];
  item: OutputItem | undefined;
  /** Set when it has begun: `response.output_item.added` is sent. */
  hasBegun: boolean;
  /** Of reasoning: its state has come, which ends it. */
  isSealed: boolean;
  /** Of a call: its arguments so far. */
  json: string;
  status: ItemStatus;
}

function isWholeJson(text: string): boolean {
  if (!/[}\]"]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How an answer ended. One that was stopped is cancelled, with what was written. `spec 29.12` */
function endOf(finishReason: string): Pick<ResponseState, 'status' | 'incompleteReason'> {
  if (finishReason === stopped) return { status: 'cancelled' };
  const meaning = meaningOfFinish(finishReason);
  if (meaning === 'length') return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
  return meaning === 'content_filter' ? { status: 'incomplete', incompleteReason: meaning } : { status: 'completed' };
}

/** What a tool call is known to be before its item begins. */
interface Announced {
  queued: Queued;
  id: string;
  name: string;
}

/**
 * The events of one response, of its live stream, from its record or whole: a pure function of the pieces of the answer, so that
 * nothing of them is stored: decision 119. The items
 * follow each other: one ends before the next begins. A tool call whose arguments are not complete when another one begins goes on
 * being written, and the other one waits. `spec 29.13`
 */
export class ResponseEvents {
  private readonly record: ResponseRecord;
  private events: ResponseEvent[] = [];
  private nextNumber = 0;
  private readonly items: Queued[] = [];
  /** The index of the item that is written. */
  private current = 0;
  private readonly calls = new Map<number, Announced>();
  private state: Omit<ResponseState, 'output'> = { status: 'in_progress' };

  constructor(record: ResponseRecord) {
    this.record = record;
  }

  /** The number of the last event. */
  get lastNumber(): number {
    return this.nextNumber - 1;
  }

  /** The response as it is now. */
  get response(): ResponseObject {
    const output = this.items.flatMap(({ item, status, hasBegun }) => (item && hasBegun ? [item.shown(status)] : []));
    return toResponse(this.record.callId, this.record.head, { ...this.state, output });
  }

  /** No worker has begun with it. */
  queue(): void {
    this.state = { status: 'queued' };
  }

  begin(): ResponseEvent[] {
    if (this.record.head.background) {
      this.state = { status: 'queued' };
      this.emitResponse('created');
      this.emitResponse('queued');
      this.state = { status: 'in_progress' };
    } else this.emitResponse('created');
    this.emitResponse('in_progress');
    return this.take();
  }

  delta({
    reasoning_content,
    states = [],
    content,
    refusal,
    annotations = [],
    tool_calls = [],
  }: Delta): ResponseEvent[] {
    if (reasoning_content) this.reasoning((item) => item.add(reasoning_content));
    if (content) this.message((item) => item.add('output_text', content));
    if (refusal) this.message((item) => item.add('refusal', refusal));
    // A state belongs to the reasoning that is being written, and ends it; else it is reasoning without a text.
    for (const state of states) {
      this.reasoning((item) => item.seal(state));
      this.items.at(-1)!.isSealed = true;
    }
    for (const piece of tool_calls) this.call(piece);
    for (const annotation of annotations) this.annotate(annotation);
    return this.take();
  }

  /** The end of an answer. */
  end({ finishReason, usage }: SucceededResult, completedAt: number): ResponseEvent[] {
    if (this.items.length === 0) this.message(() => undefined);
    const ended = endOf(finishReason);
    this.endItems(ended.status === 'completed' ? 'completed' : 'incomplete');
    this.state = { ...ended, usage, ...(ended.status === 'completed' && { completedAt }) };
    // There is no event of its own for an answer that was stopped.
    this.emitResponse(ended.status === 'completed' ? 'completed' : 'incomplete');
    return this.take();
  }

  /** The end of an answer that broke off. */
  fail(error: ResponseFailure & { type: string }, usage?: TokenUsage): ResponseEvent[] {
    const { code, message, type } = error;
    this.breakOff();
    this.state = { status: 'failed', error: { code, message }, usage };
    this.emitResponse('failed');
    const shown = { code, message, param: null };
    this.emit('error', { ...shown, error: { type, ...shown } });
    return this.take();
  }

  /** The output of an answer of which no more comes, whatever its end was. */
  endedOutput(): readonly object[] {
    this.endItems('completed');
    return this.response.output;
  }

  private breakOff(): void {
    for (const queued of this.items) if (queued.status === 'in_progress') queued.status = 'incomplete';
  }

  private reasoning(change: (item: ReasoningItem) => void): void {
    const open = this.items.at(-1)?.isSealed ? undefined : (this.last('reasoning') as ReasoningItem | undefined);
    this.writeTo(open, 'reasoning', (position) => new ReasoningItem(position, this.record.showsStates), change);
  }

  private message(change: (item: MessageItem) => void): void {
    const open = this.last('message') as MessageItem | undefined;
    this.writeTo(open, 'message', (position) => new MessageItem(position), change);
  }

  /** It belongs to the text before it. One that comes after the end of its item is in the response, without an event. */
  private annotate({ url_citation: source }: Annotation): void {
    const queued = this.items.findLast(({ kind }) => kind === 'message');
    if (queued && queued.status !== 'in_progress') (queued.item as MessageItem).annotateLate(source);
    else if (queued) this.put(queued, () => (queued.item as MessageItem).annotate(source));
    else this.message((item) => item.annotate(source));
  }

  /** The last item, if it is of this kind. */
  private last(kind: Queued['kind']): OutputItem | undefined {
    const last = this.items.at(-1);
    return last?.kind === kind ? last.item : undefined;
  }

  private writeTo<Item extends OutputItem>(
    open: Item | undefined,
    kind: Queued['kind'],
    make: (position: Position) => Item,
    change: (item: Item) => void,
  ): void {
    if (open) {
      this.put(this.items.at(-1)!, () => change(open));
      return;
    }
    const queued = this.enqueue(kind);
    const item = make(this.position(this.items.length - 1));
    queued.item = item;
    queued.waiting.push(() => change(item));
    this.advance();
  }

  private call({ index, id = '', function: { name = '', arguments: json = '' } = {} }: ToolCallDelta): void {
    const known = this.calls.get(index);
    const call = known ?? { queued: this.enqueue('call'), id: '', name: '' };
    this.calls.set(index, call);
    call.id ||= id;
    call.name ||= name;
    const { queued } = call;
    queued.json += json;
    if (!queued.item && call.name) this.announce(call);
    if (json) queued.waiting.push(() => (queued.item as CallItem).add(json));
    this.advance();
  }

  private announce({ queued, id, name }: Announced): void {
    const position = this.position(this.items.indexOf(queued));
    queued.item = new CallItem(position, { callId: id, tool: toolOf(this.record.tools, name) });
  }

  private enqueue(kind: Queued['kind']): Queued {
    const queued: Queued = {
      kind,
      waiting: [],
      item: undefined,
      hasBegun: false,
      isSealed: false,
      json: '',
      status: 'in_progress',
    };
    this.items.push(queued);
    return queued;
  }

  private position(index: number): Position {
    return { callId: this.record.callId, index, emit: (type, fields) => this.emit(type, fields) };
  }

  private put(queued: Queued, change: () => void): void {
    queued.waiting.push(change);
    if (this.items[this.current] === queued) this.flush(queued);
  }

  /** Writes what waits for an item; nothing while the name of its tool is unknown. */
  private flush(queued: Queued): void {
    const { item } = queued;
    if (!item) return;
    if (!queued.hasBegun) {
      queued.hasBegun = true;
      this.emit('response.output_item.added', { output_index: this.current, item: item.shown('in_progress') });
    }
    for (const change of queued.waiting.splice(0)) change();
  }

  /** Ends each item after which another one has begun, but for calls that are still being written, and begins the next one. */
  private advance(): void {
    for (;;) {
      const queued = this.items[this.current]!;
      this.flush(queued);
      if (this.current === this.items.length - 1) return;
      if (queued.kind === 'call' && !(queued.item && isWholeJson(queued.json))) return;
      this.endItem(queued, 'completed');
    }
  }

  private endItem(queued: Queued, status: ItemStatus): void {
    queued.item!.end();
    queued.status = status;
    this.emit('response.output_item.done', { output_index: this.current, item: queued.item!.shown(status) });
    this.current += 1;
  }

  private endItems(statusOfLast: ItemStatus): void {
    for (const call of this.calls.values()) if (!call.queued.item) this.announce(call);
    for (let queued = this.items[this.current]; queued; queued = this.items[this.current]) {
      this.flush(queued);
      this.endItem(queued, this.current === this.items.length - 1 ? statusOfLast : 'completed');
    }
  }

  private emitResponse(name: string): void {
    this.emit(`response.${name}`, { response: this.response });
  }

  private emit(type: string, fields: object): void {
    this.events.push({ type, sequence_number: this.nextNumber, ...fields });
    this.nextNumber += 1;
  }

  private take(): ResponseEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }
}

/** A message through the events: what its output is. */
export function readMessage(record: ResponseRecord, message: Message | undefined): ResponseEvents {
  const events = new ResponseEvents(record);
  events.begin();
  for (const delta of deltasOf(message ?? { content: '' })) events.delta(delta);
  return events;
}

/** A response with which no worker has begun. */
export function queuedResponse(record: ResponseRecord): ResponseObject {
  const events = new ResponseEvents(record);
  events.queue();
  return events.response;
}
