import { shownState } from '../../../domain/answer-parts.ts';
import type { Annotation } from '../../../domain/chat-message.ts';
import { builtInCall } from './built-in-calls.ts';
import type { CalledTool } from './called-tools.ts';
import { CustomInput } from './custom-input.ts';
import { type ItemType, itemId } from './item-ids.ts';

/** Emits an event of the item. */
export type Emit = (type: string, fields: object) => void;

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** An item of the output while it is written. Its events are those of `spec 29.14`, without those that begin and end every item. */
export interface OutputItem {
  /** The item as it is now. `status`: what it shows of that. */
  shown(status: ItemStatus): object;
  /** Emits what ends its parts. */
  end(): void;
}

export interface Position {
  callId: string;
  /** The number of the item in the output. */
  index: number;
  emit: Emit;
}

const halfAtEnd = /[\uD800-\uDBFF]$/;

/** Pieces of a text, without half surrogate pairs: the first half waits for the second one. */
class PiecedText {
  whole = '';
  private half = '';

  add(piece: string): string {
    const text = this.half + piece;
    this.half = halfAtEnd.exec(text)?.[0] ?? '';
    return this.take(text.slice(0, text.length - this.half.length));
  }

  rest(): string {
    const half = this.half;
    this.half = '';
    return this.take(half);
  }

  private take(text: string): string {
    const shown = text.toWellFormed();
    this.whole += shown;
    return shown;
  }
}

const emitterOf =
  (position: Position, type: ItemType): Emit =>
  (event, fields) =>
    position.emit(event, {
      item_id: itemId(position.callId, type, position.index),
      output_index: position.index,
      ...fields,
    });

/** Whether items of reasoning have `encrypted_content`. `all`: also one that is too long for a client. */
export type ShowsStates = boolean | 'all';

/** What the model wrote before its answer, and its sealed state. */
export class ReasoningItem implements OutputItem {
  private readonly position: Position;
  private readonly showsState: ShowsStates;
  private readonly emit: Emit;
  private text: PiecedText | undefined;
  private state: string | undefined;

  constructor(position: Position, showsState: ShowsStates) {
    this.position = position;
    this.showsState = showsState;
    this.emit = emitterOf(position, 'reasoning');
  }

  add(piece: string): void {
    if (!this.text) {
      this.text = new PiecedText();
      this.emit('response.reasoning_summary_part.added', { summary_index: 0, part: summaryText('') });
    }
    const delta = this.text.add(piece);
    if (delta) this.emit('response.reasoning_summary_text.delta', { summary_index: 0, delta });
  }

  seal(state: string): void {
    this.state = state;
  }

  end(): void {
    if (!this.text) return;
    const delta = this.text.rest();
    if (delta) this.emit('response.reasoning_summary_text.delta', { summary_index: 0, delta });
    const text = this.text.whole;
    this.emit('response.reasoning_summary_text.done', { summary_index: 0, text });
    this.emit('response.reasoning_summary_part.done', { summary_index: 0, part: summaryText(text) });
  }

  shown(): object {
    const { state = '', showsState } = this;
    const shown = showsState === 'all' ? state : showsState && shownState(state);
    return {
      id: itemId(this.position.callId, 'reasoning', this.position.index),
      type: 'reasoning',
      summary: this.text ? [summaryText(this.text.whole)] : [],
      ...(shown && { encrypted_content: shown }),
    };
  }
}

const summaryText = (text: string) => ({ type: 'summary_text', text });

type Source = Annotation['url_citation'];

const toAnnotation = ({ url, title = '', start_index = 0, end_index = 0 }: Source) => ({
  type: 'url_citation' as const,
  url,
  title,
  start_index,
  end_index,
});

/** A part of a message that is being written. */
interface MessagePart {
  type: 'output_text' | 'refusal';
  text: PiecedText;
  annotations: ReturnType<typeof toAnnotation>[];
}

const shownPart = ({ type, text: { whole }, annotations }: MessagePart) =>
  type === 'refusal' ? { type, refusal: whole } : { type, text: whole, annotations: [...annotations], logprobs: [] };

/** The texts of the model: what it answers, or why it does not. */
export class MessageItem implements OutputItem {
  private readonly position: Position;
  private readonly emit: Emit;
  private readonly parts: MessagePart[] = [];
  private openPart: MessagePart | undefined;

  constructor(position: Position) {
    this.position = position;
    this.emit = emitterOf(position, 'message');
  }

  add(type: MessagePart['type'], piece: string): void {
    const part = this.partOf(type);
    this.emitDelta(part, part.text.add(piece));
  }

  annotate(source: Source): void {
    const part = this.partOf('output_text');
    const annotation = toAnnotation(source);
    this.emit('response.output_text.annotation.added', {
      content_index: this.parts.length - 1,
      annotation_index: part.annotations.length,
      annotation,
    });
    part.annotations.push(annotation);
  }

  /** Adds it after the item has ended. */
  annotateLate(source: Source): void {
    this.parts.findLast(({ type }) => type === 'output_text')?.annotations.push(toAnnotation(source));
  }

  /** A message without anything has an empty text. */
  end(): void {
    if (this.parts.length === 0) this.partOf('output_text');
    this.endPart();
  }

  shown(status: ItemStatus): object {
    const id = itemId(this.position.callId, 'message', this.position.index);
    return { id, type: 'message', status, role: 'assistant', content: this.parts.map(shownPart) };
  }

  private partOf(type: MessagePart['type']): MessagePart {
    if (this.openPart?.type === type) return this.openPart;
    this.endPart();
    const part = { type, text: new PiecedText(), annotations: [] };
    this.openPart = part;
    this.parts.push(part);
    this.emit('response.content_part.added', { content_index: this.parts.length - 1, part: shownPart(part) });
    return part;
  }

  private endPart(): void {
    const part = this.openPart;
    if (!part) return;
    this.emitDelta(part, part.text.rest());
    this.openPart = undefined;
    const fields = { content_index: this.parts.length - 1 };
    if (part.type === 'refusal') this.emit('response.refusal.done', { ...fields, refusal: part.text.whole });
    else this.emit('response.output_text.done', { ...fields, text: part.text.whole, logprobs: [] });
    this.emit('response.content_part.done', { ...fields, part: shownPart(part) });
  }

  private emitDelta({ type }: MessagePart, delta: string): void {
    const fields = { content_index: this.parts.length - 1, delta };
    if (delta === '') return;
    if (type === 'refusal') this.emit('response.refusal.delta', fields);
    else this.emit('response.output_text.delta', { ...fields, logprobs: [] });
  }
}

/** What the model calls, once the name of the tool is known. */
export interface CallBody {
  readonly type: ItemType;
  add(piece: string): void;
  end(): void;
  fields(status: ItemStatus): object;
}

/** A call whose arguments are JSON text. */
class FunctionBody implements CallBody {
  readonly type = 'function_call';
  private readonly text = new PiecedText();
  private readonly emit: Emit;
  private readonly tool: CalledTool;

  constructor(position: Position, tool: CalledTool) {
    this.emit = emitterOf(position, this.type);
    this.tool = tool;
  }

  add(piece: string): void {
    const delta = this.text.add(piece);
    if (delta) this.emit('response.function_call_arguments.delta', { delta });
  }

  end(): void {
    const delta = this.text.rest();
    if (delta) this.emit('response.function_call_arguments.delta', { delta });
    const { name } = this.tool;
    this.emit('response.function_call_arguments.done', { name, arguments: this.text.whole });
  }

  fields(): object {
    return { ...nameOf(this.tool), arguments: this.text.whole };
  }
}

/** A call whose input is a text. */
class CustomBody implements CallBody {
  readonly type = 'custom_tool_call';
  private readonly input = new CustomInput();
  private whole = '';
  private readonly emit: Emit;
  private readonly tool: CalledTool;

  constructor(position: Position, tool: CalledTool) {
    this.emit = emitterOf(position, this.type);
    this.tool = tool;
  }

  add(piece: string): void {
    this.emitDelta(this.input.add(piece));
  }

  end(): void {
    this.emitDelta(this.input.rest());
    this.emit('response.custom_tool_call_input.done', { input: this.whole });
  }

  fields(): object {
    return { ...nameOf(this.tool), input: this.whole };
  }

  private emitDelta(delta: string): void {
    this.whole += delta;
    if (delta) this.emit('response.custom_tool_call_input.delta', { delta });
  }
}

const nameOf = ({ name, namespace }: CalledTool) => ({ name, ...(namespace !== undefined && { namespace }) });

/** A call of a tool that the API itself defines. It has no events of its own. */
class BuiltInBody implements CallBody {
  readonly type: ItemType;
  private json = '';
  private readonly tool: Parameters<typeof builtInCall>[0];

  constructor(tool: Parameters<typeof builtInCall>[0]) {
    this.tool = tool;
    this.type = `${tool}_call`;
  }

  add(piece: string): void {
    this.json += piece;
  }

  end(): void {}

  fields(status: ItemStatus): object {
    return builtInCall(this.tool, status === 'in_progress' ? '' : this.json.toWellFormed());
  }
}

function bodyOf(position: Position, tool: CalledTool): CallBody {
  if (tool.type === 'function') return new FunctionBody(position, tool);
  return tool.type === 'custom' ? new CustomBody(position, tool) : new BuiltInBody(tool.type);
}

/** A call of a tool. */
export class CallItem implements OutputItem {
  private readonly position: Position;
  private readonly body: CallBody;
  private readonly callIdOfModel: string;

  constructor(position: Position, { callId, tool }: { callId: string; tool: CalledTool }) {
    this.position = position;
    this.callIdOfModel = callId;
    this.body = bodyOf(position, tool);
  }

  add(piece: string): void {
    this.body.add(piece);
  }

  end(): void {
    this.body.end();
  }

  shown(status: ItemStatus): object {
    const { type } = this.body;
    const id = itemId(this.position.callId, type, this.position.index);
    return { id, type, status, call_id: this.callIdOfModel, ...this.body.fields(status) };
  }
}
