import type { StreamOutput } from '../../calls/frame-reorder.ts';
import type { SucceededResult } from '../../domain/call-result.ts';
import type { Delta, ToolCallDelta } from '../../domain/chat-message.ts';
import { completionId } from '../../domain/ids.ts';
import type { TokenUsage } from '../../domain/pricing.ts';
import { OutcomeUnknown } from '../../errors.ts';
import { refusalOfCall } from '../../services/calls/call-refusal.ts';
import { EventStream, type Naming, type StreamRecord, toLine } from '../stream/event-stream.ts';
import { SplitTexts } from '../stream/split-texts.ts';
import { openAiError } from '../v1/openai-surface.ts';
import { toFinishReason, toUsage } from './serialize-completion.ts';

/**
 * The chunks of one stream in the form of OpenAI. The role is in the first chunk only; id, type and name of a tool call are in its
 * first piece, or as soon as the name is known, and only once, because clients join what is repeated. `spec 17.20`
 */
export class ChatChunks {
  private readonly naming: Naming;
  private readonly includesUsage: boolean;
  private hasBegun = false;
  private readonly texts = new SplitTexts();
  /** The index among the tool calls of the stream by that in the message; undefined for a function call. */
  private readonly calls = new Map<number, number | undefined>();

  constructor(naming: Naming, includesUsage: boolean) {
    this.naming = naming;
    this.includesUsage = includesUsage;
  }

  delta({ tool_calls: pieces = [], annotations, ...texts }: Delta): string {
    const calls = joinByIndex(pieces).map((piece) => this.pieceOf(piece));
    const toolCalls = calls.filter((one) => 'index' in one);
    const functionCall = calls.find((one) => !('index' in one));
    const isOther = texts.content === undefined && (calls.length > 0 || Object.keys(texts).length > 0);
    const first = this.hasBegun ? {} : { role: 'assistant', content: isOther ? null : '' };
    this.hasBegun = true;
    const fields = {
      ...this.texts.wellFormed(texts),
      ...(annotations && { annotations }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...(functionCall && { function_call: functionCall }),
    };
    return this.chunk({ ...first, ...fields }, null);
  }

  /** The last chunks: the finish reason, the usage. */
  end({ finishReason, usage }: SucceededResult): string[] {
    const texts = this.texts.rest();
    const all = [...this.calls.values()];
    const reason = toFinishReason(finishReason, {
      hasToolCalls: all.some((index) => index !== undefined),
      hasFunctionCall: all.some((index) => index === undefined),
    });
    return [
      ...(this.hasBegun ? [] : [this.delta({ content: '' })]),
      ...(texts ? [this.chunk(texts, null)] : []),
      this.chunk({}, reason),
      ...(this.includesUsage ? [this.usageChunk(usage)] : []),
    ];
  }

  private pieceOf({ index, id, function: called = {}, isFunctionCall }: ToolCallDelta) {
    const isKnown = this.calls.has(index);
    if (!isKnown) this.calls.set(index, isFunctionCall ? undefined : this.toolCalls());
    const shownIndex = this.calls.get(index);
    const { name, arguments: json = '' } = called;
    const fields = { ...(name && { name }), arguments: json };
    if (shownIndex === undefined) return fields;
    return { index: shownIndex, ...(!isKnown && { id, type: 'function' }), function: fields };
  }

  private toolCalls(): number {
    return [...this.calls.values()].filter((index) => index !== undefined).length;
  }

  private usageChunk(usage: TokenUsage): string {
    return toLine({ ...this.head(), choices: [], usage: toUsage(usage) });
  }

  private chunk(delta: object, finishReason: string | null): string {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    return toLine({ ...this.head(), choices: [choice], ...(this.includesUsage && { usage: null }) });
  }

  private head() {
    const { callId, model, created } = this.naming;
    return { id: completionId(callId), object: 'chat.completion.chunk', created, model };
  }
}

/** One piece for each tool call: some clients take two pieces of one chunk for two tool calls. */
function joinByIndex(pieces: readonly ToolCallDelta[]): ToolCallDelta[] {
  const joined = new Map<number, ToolCallDelta>();
  for (const piece of pieces) {
    const first = joined.get(piece.index);
    joined.set(piece.index, first ? joinPieces(first, piece) : piece);
  }
  return [...joined.values()];
}

const joinPieces = (first: ToolCallDelta, next: ToolCallDelta): ToolCallDelta => ({
  ...first,
  function: {
    ...next.function,
    ...first.function,
    arguments: (first.function?.arguments ?? '') + (next.function?.arguments ?? ''),
  },
});

const lostEvent: string = toLine({
  error: {
    message: 'The stream was lost, and the call has ended',
    type: 'server_error',
    code: 'stream_lost',
    param: null,
  },
});

const errorEvent = (end: Parameters<typeof refusalOfCall>[0]): string => {
  const { status, code, message: detail } = refusalOfCall(end);
  return toLine({ error: openAiError({ status, code, detail }) });
};

/** The outputs of a call as the data of events. Throws `OutcomeUnknown` where the answer breaks off. */
async function* toChunks(
  naming: Naming,
  includesUsage: boolean,
  outputs: AsyncIterable<StreamOutput>,
): AsyncGenerator<string> {
  const chunks = new ChatChunks(naming, includesUsage);
  for await (const output of outputs) {
    if (output.type === 'delta') yield chunks.delta(output.delta);
    if (output.type === 'lost') yield lostEvent;
    if (output.type === 'broken') throw new OutcomeUnknown();
    if (output.type !== 'end') continue;
    const { end } = output;
    if (end.status === 'succeeded') yield* chunks.end(end);
    else yield errorEvent(end);
  }
}

interface StreamOptions {
  includesUsage: boolean;
}

/** The answer of a streamed call as server-sent events. */
export const chatStream = (record: StreamRecord<StreamOptions>, outputs: AsyncIterable<StreamOutput>): EventStream =>
  new EventStream(toChunks(record.naming, record.options?.includesUsage === true, outputs), record);
