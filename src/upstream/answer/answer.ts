import { addPieces, isUsualOrder, piecesOfDelta } from '../../domain/answer-parts.ts';
import type { AnswerParts } from '../../domain/call-options.ts';
import {
  append,
  type Delta,
  lengthOfDelta,
  type Message,
  type Piece,
  textFields,
  wholeMessage,
} from '../../domain/chat-message.ts';
import { noTokens, type TokenUsage } from '../../domain/pricing.ts';
import { endedEarly, reportedError, unfinished, unreadable } from '../upstream-error.ts';
import { maxAnnotations, maxChoices, maxResponseCharacters } from './bounds.ts';
import { type Choice, type Completion, errorOf, type MessageFields, stopStringsOf, usagesOf } from './completion.ts';
import { joined } from './deltas.ts';
import { FinishReasons, isFailure } from './finish-reason.ts';
import { GrowingText } from './growing-text.ts';
import { ReasoningStates, type SealReasoning } from './reasoning-state.ts';
import { UsageCount } from './token-usage.ts';
import { ToolCalls } from './tool-calls.ts';

type ChoiceKey = number | string;
type TextField = (typeof textFields)[number];

/** What has been received so far. It is updated while the response is read, so that an incomplete answer can be recorded too. */
export interface CompletionResult {
  message: Message;
  modelUsed: string | undefined;
  finishReason: string | undefined;
  usage: TokenUsage;
  /** An exact decimal of USD; undefined when the upstream reported none. */
  reportedCostUsd: string | undefined;
}

export const emptyCompletion = (): CompletionResult => ({
  message: { content: '' },
  modelUsed: undefined,
  finishReason: undefined,
  usage: noTokens,
  reportedCostUsd: undefined,
});

/** What is read of an answer, and what seals what its model needs back. */
export interface AnswerForm {
  parts: AnswerParts;
  seal: SealReasoning;
  /** The texts at which the model was asked to stop, where the client is shown which one it was. */
  stops?: readonly string[] | undefined;
}

/** Puts together one answer from the completions of a response: chunks of a stream, or one completion. `spec 4.10` */
export class Answer {
  private readonly result: CompletionResult;
  private readonly usage = new UsageCount();
  private readonly toolCalls: ToolCalls;
  private readonly texts = new Map<string, GrowingText>();
  private readonly reasons = new FinishReasons();
  /** A message has arrived, or a piece of one, perhaps without content. */
  private hasMessage = false;
  /** The answer was a message, not a piece. */
  private isWhole = false;
  /** A finish reason has come with the last content or after it. */
  private isFinished = false;
  /** Some servers send an empty finish reason with the last chunk, others with every chunk but the last. */
  private hasEmptyReason = false;
  private size = 0;
  private readonly parts: AnswerParts;
  private readonly states: ReasoningStates | undefined;
  private readonly order: Piece[] = [];
  private readonly stops: readonly string[];

  /** `callId`: of the call that is answered, for the ids of tool calls. */
  constructor(result: CompletionResult, { parts, seal, stops = [] }: AnswerForm, callId: string) {
    this.result = result;
    this.stops = stops;
    this.parts = parts;
    this.states = parts === 'sealed' ? new ReasoningStates(seal) : undefined;
    this.toolCalls = new ToolCalls(callId);
  }

  get hasUsage(): boolean {
    return this.result.usage.totalTokens > 0;
  }

  /** Adds everything but the content. A failed request has its tokens and its cost too, so this comes before anything is thrown. */
  addDetails(completion: Completion): void {
    this.result.modelUsed = completion.model ?? this.result.modelUsed;
    for (const usage of usagesOf(completion)) this.usage.add(usage);
    this.result.usage = this.usage.tokens;
    this.result.reportedCostUsd = this.usage.reportedCostUsd;
  }

  /** Returns what the completion adds to the message, in order. Throws `UpstreamError`. */
  addContent(completion: Completion): Delta[] {
    const error = errorOf(completion);
    if (error) throw reportedError(error);
    const { choices } = completion;
    if (!choices) throw unreadable();
    // Tool calls of earlier chunks begin before a text that follows them.
    const before = hasText(choices) ? this.toolCalls.beginAll() : [];
    const delta = joined(assignKeys(choices).map(([key, choice]) => this.deltaOf(key, choice)));
    this.addReasons(choices, delta !== undefined || hasTools(choices));
    return [joined([{ tool_calls: before }]), ...this.withStates(choices, delta)].flatMap((one) => this.append(one));
  }

  /** A piece of an answer, with what the model needs back between its reasoning and the rest. */
  private withStates(choices: readonly Choice[], delta: Delta | undefined): (Delta | undefined)[] {
    if (!this.states) return [delta];
    const { reasoning_content, ...rest } = delta ?? {};
    const fields = fieldsOf(choices);
    for (const { reasoning } of fields) this.states.add(reasoning);
    const begun = (rest.tool_calls ?? []).filter(({ id }) => id !== undefined);
    const named = fields.flatMap(({ tools }) => tools).filter(({ name }) => name !== '');
    for (const [index, { extraContent }] of named.entries()) {
      const id = begun[index]?.id;
      if (id !== undefined && extraContent !== undefined) this.states.addToolCall(id, extraContent);
    }
    const states = Object.keys(rest).length > 0 ? this.states.take() : [];
    return [
      reasoning_content ? { reasoning_content } : undefined,
      states.length > 0 ? { states } : undefined,
      joined([rest]),
    ];
  }

  /** What is left to pass on when the response has ended in order. */
  end(): Delta[] {
    const states = this.states?.take() ?? [];
    return [states.length > 0 ? { states } : undefined, joined([{ tool_calls: this.toolCalls.end() }])].flatMap((one) =>
      this.append(one),
    );
  }

  /** The response ended within a chunk. Throws `UpstreamError` if the answer would otherwise look complete. */
  cut(): void {
    if (this.result.finishReason) throw unreadable();
  }

  /** Throws `UpstreamError` unless the answer is complete. `isDone`: its end was marked by `[DONE]`. */
  requireEnd(form: 'body' | 'events', isDone: boolean): void {
    const { result } = this;
    if (isDone && this.hasEmptyReason) result.finishReason ??= 'stop';
    // One JSON document is complete without a finish reason. A stream that was closed in an orderly way may be incomplete.
    if (form === 'body' && this.isWhole) result.finishReason ??= this.toolCalls.hasCalls ? 'tool_calls' : 'stop';
    else if (!result.finishReason || !(this.isFinished || isDone)) throw form === 'body' ? unreadable() : endedEarly();
    if (!this.hasMessage) throw unreadable();
    if (isFailure(result.finishReason)) throw unfinished();
  }

  close(): void {
    const order = isUsualOrder(this.order) ? {} : { order: this.order };
    this.result.message = wholeMessage({ ...this.result.message, ...order });
  }

  private append(delta: Delta | undefined): Delta[] {
    if (!delta) return [];
    this.size += lengthOfDelta(delta);
    if (this.size > maxResponseCharacters) throw unreadable();
    append(this.result.message, delta);
    if (this.states) addPieces(this.order, piecesOfDelta(delta));
    return [delta];
  }

  private addReasons(choices: Choice[], hasContent: boolean): void {
    const reasons = choices.flatMap(({ finish_reason }) => finish_reason || []);
    this.hasEmptyReason ||= choices.some(({ finish_reason }) => finish_reason === '');
    if (hasContent || reasons.length > 0) this.isFinished = reasons.length > 0;
    for (const reason of reasons) this.reasons.add(reason);
    this.result.finishReason = this.reasons.reason(this.toolCalls.hasCalls);
    if (this.stops.length > 0) this.addStop(choices);
  }

  /** One that the client has not asked for, such as a token of the model's template, is none. */
  private addStop(choices: Choice[]): void {
    const named = choices.flatMap(stopStringsOf).find((text) => this.stops.includes(text));
    const isOnlyOne = this.stops.length === 1 && choices.some(({ finish_reason }) => finish_reason === stopSequence);
    const stop = named ?? (isOnlyOne ? this.stops[0] : undefined);
    if (stop !== undefined) this.result.message.stopSequence = stop;
  }

  private deltaOf(key: ChoiceKey, { delta, message, text }: Choice): Delta | undefined {
    const parts: Delta[] = [];
    if (delta) {
      const calls = this.toolCalls.delta(key, delta.tools);
      parts.push({ ...this.textsOf(key, delta, 'delta'), ...this.annotationsOf(delta), tool_calls: calls });
    }
    if (message) {
      const calls = this.toolCalls.message(key, message.tools);
      parts.push({ ...this.textsOf(key, message, 'message'), ...this.annotationsOf(message), tool_calls: calls });
    }
    if (parts.length === 0 && typeof text === 'string')
      parts.push({ content: this.textOf(key, 'content').delta(text) });
    this.hasMessage ||= parts.length > 0;
    this.isWhole ||= parts.length > 0 && !delta;
    return joined(parts);
  }

  /** What the fields add to the texts of a choice. */
  private textsOf(key: ChoiceKey, fields: MessageFields, form: 'delta' | 'message'): Delta {
    const all: Record<TextField, string> = {
      reasoning_content: this.parts === 'text' ? '' : fields.reasoning.text,
      content: fields.content ?? '',
      refusal: fields.refusal ?? '',
    };
    return Object.fromEntries(textFields.map((field) => [field, this.textOf(key, field)[form](all[field])]));
  }

  private annotationsOf({ annotations }: MessageFields): Delta {
    const known = this.result.message.annotations?.length ?? 0;
    const further = this.parts !== 'text' ? annotations.slice(0, maxAnnotations - known) : [];
    return further.length > 0 ? { annotations: further } : {};
  }

  /** Older versions of TGI number the choices by tokens: what comes after the first few choices is a piece each. */
  private textOf(key: ChoiceKey, field: TextField): GrowingText {
    const name = `${field} ${key}`;
    const text = this.texts.get(name) ?? new GrowingText();
    if (this.texts.size < maxChoices * textFields.length) this.texts.set(name, text);
    return text;
  }
}

/** The finish reason of TGI at a stop string, which it does not name. */
const stopSequence = 'stop_sequence';

const fieldsOf = (choices: readonly Choice[]): MessageFields[] =>
  choices.flatMap(({ delta, message }) => [delta, message].flatMap((fields) => fields ?? []));

const hasTools = (choices: readonly Choice[]): boolean => fieldsOf(choices).some(({ tools }) => tools.length > 0);

const hasText = (choices: readonly Choice[]): boolean =>
  fieldsOf(choices).some(({ reasoning, content, refusal }) => reasoning.text || content || refusal);

/** The choices with what identifies them in the next chunk: their index, or their position where it is missing or not unique. */
function assignKeys(choices: Choice[]): [ChoiceKey, Choice][] {
  const indexes = new Set<number>();
  return choices.map((choice, position) => {
    const index = choice.index ?? position;
    const key = indexes.has(index) ? `position ${position}` : index;
    indexes.add(index);
    return [key, choice];
  });
}
