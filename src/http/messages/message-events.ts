import { shownState } from '../../domain/answer-parts.ts';
import type { SucceededResult } from '../../domain/call-result.ts';
import type { Delta, ToolCallDelta } from '../../domain/chat-message.ts';
import { JsonProgress } from '../../domain/formats/partial-object.ts';
import { messageId } from '../../domain/ids.ts';
import { type Naming, namedEvent } from '../stream/event-stream.ts';
import { SplitTexts } from '../stream/split-texts.ts';
import { toStop } from './stop-reason.ts';
import { estimatedUsage, toMessageUsage } from './usage.ts';

type EventData = { type: string } & Record<string, unknown>;

const event = (data: EventData): string => namedEvent(data.type, data);

/** The kinds of blocks, by the text of a delta that they have. */
const blocks = {
  reasoning_content: { start: { type: 'thinking', thinking: '', signature: '' }, delta: 'thinking' },
  content: { start: { type: 'text', text: '' }, delta: 'text' },
  refusal: { start: { type: 'text', text: '' }, delta: 'text' },
} as const;
type TextKind = keyof typeof blocks;
const textKinds = Object.keys(blocks) as TextKind[];

interface ToolBlock {
  kind: 'tool';
  /** Its index among the tool calls of the message. */
  call: number;
  progress: JsonProgress;
}

type OpenBlock = { kind: TextKind } | ToolBlock;

/** A signature is never empty, and one that the model did not give is left out when it comes back. */
export const noSignature = (callId: string): string => Buffer.from(`none:${callId}`).toString('base64');

/**
 * The events of one stream in the form of Anthropic. Blocks follow each other: only the last one is open. Of several tool calls that are
 * written at once, the later ones wait until the first is whole. `spec 28.8`
 */
export class MessageEvents {
  private readonly naming: Naming;
  private readonly texts = new SplitTexts();
  private open: OpenBlock | undefined;
  private blocks = 0;
  private calls = 0;
  /** Pieces of tool calls that wait, in their order. */
  private waiting: ToolCallDelta[] = [];

  constructor(naming: Naming) {
    this.naming = naming;
  }

  begin(inputTokens: number): string[] {
    const { callId, model } = this.naming;
    const message = {
      id: messageId(callId),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: estimatedUsage(inputTokens),
    };
    return [event({ type: 'message_start', message })];
  }

  delta({ tool_calls = [], states = [], ...texts }: Delta): string[] {
    const shown = this.texts.wellFormed(texts);
    return [
      ...textKinds.flatMap((kind) => (shown[kind] ? this.text(kind, shown[kind]) : [])),
      ...states.flatMap((state) => this.state(state)),
      ...tool_calls.flatMap((piece) => this.toolPiece(piece)),
    ];
  }

  /** The last events but one. */
  end(end: SucceededResult): string[] {
    const rest = this.texts.rest();
    const events = [...(rest ? textKinds.flatMap((kind) => (rest[kind] ? this.text(kind, rest[kind]) : [])) : [])];
    events.push(...this.takeWaiting(), ...this.close());
    const delta = toStop(end, this.calls > 0);
    return [...events, event({ type: 'message_delta', delta, usage: toMessageUsage(end.usage) })];
  }

  stop(): string[] {
    return [event({ type: 'message_stop' })];
  }

  private text(kind: TextKind, text: string): string[] {
    const { start, delta } = blocks[kind];
    const before = this.open?.kind === kind ? [] : this.start({ kind }, start);
    return [...before, this.blockDelta({ type: `${delta}_delta`, [delta]: text })];
  }

  /** It signs the reasoning that is open, or is one whose text the model does not show. */
  private state(sealed: string): string[] {
    const data = shownState(sealed);
    if (this.open?.kind === 'reasoning_content') return this.close(data);
    if (data === undefined) return [];
    return [...this.takeWaiting(), ...this.startBlock({ type: 'redacted_thinking', data }), this.endBlock()];
  }

  private toolPiece(piece: ToolCallDelta): string[] {
    const { open } = this;
    const isOther = open?.kind === 'tool' && open.call !== piece.index;
    if ((isOther && !open.progress.isComplete) || this.waiting.some(({ index }) => index === piece.index)) {
      this.waiting.push(piece);
      return [];
    }
    const events = this.addToolPiece(piece);
    return this.open?.kind === 'tool' && this.open.progress.isComplete ? [...events, ...this.takeNext()] : events;
  }

  private addToolPiece({ index, id, function: called }: ToolCallDelta): string[] {
    const { name = '', arguments: json = '' } = called ?? {};
    const events: string[] = [];
    if (this.open?.kind !== 'tool' || this.open.call !== index) {
      this.calls += 1;
      const tool = { type: 'tool_use', id: id ?? '', name, input: {} };
      events.push(...this.start({ kind: 'tool', call: index, progress: new JsonProgress() }, tool));
    }
    if (json === '') return events;
    (this.open as ToolBlock).progress.add(json);
    return [...events, this.blockDelta({ type: 'input_json_delta', partial_json: json })];
  }

  /** What waits of the next tool call, now that the open one is whole; and of those after it. */
  private takeNext(): string[] {
    const events: string[] = [];
    while (this.waiting[0] && this.open?.kind === 'tool' && this.open.progress.isComplete)
      events.push(...this.takeCall(this.waiting[0].index));
    return events;
  }

  private takeWaiting(): string[] {
    const events: string[] = [];
    while (this.waiting[0]) events.push(...this.takeCall(this.waiting[0].index));
    return events;
  }

  private takeCall(index: number): string[] {
    const pieces = this.waiting.filter((piece) => piece.index === index);
    this.waiting = this.waiting.filter((piece) => piece.index !== index);
    return pieces.flatMap((piece) => this.addToolPiece(piece));
  }

  private start(block: OpenBlock, start: object): string[] {
    const events = [...(block.kind === 'tool' ? [] : this.takeWaiting()), ...this.startBlock(start)];
    this.open = block;
    return events;
  }

  private startBlock(content_block: object): string[] {
    const events = this.close();
    return [...events, event({ type: 'content_block_start', index: this.blocks, content_block })];
  }

  private blockDelta(delta: object): string {
    return event({ type: 'content_block_delta', index: this.blocks, delta });
  }

  private close(signature?: string): string[] {
    if (!this.open) return [];
    const isSigned = this.open.kind === 'reasoning_content';
    this.open = undefined;
    const signed = { type: 'signature_delta', signature: signature ?? noSignature(this.naming.callId) };
    return [...(isSigned ? [this.blockDelta(signed)] : []), this.endBlock()];
  }

  private endBlock(): string {
    const ended = event({ type: 'content_block_stop', index: this.blocks });
    this.blocks += 1;
    return ended;
  }
}
