import { setTimeout as pause } from 'node:timers/promises';
import type { Delta } from '../domain/chat-message.ts';
import { reportedCost } from '../domain/pricing.ts';
import { Answer, type CompletionResult } from './answer/answer.ts';
import { type AnswerSource, type Received, readAnswer } from './answer/read-answer.ts';
import { ThreadShare } from './answer/thread-share.ts';
import { AnswerTimeouts, type TimeoutSettings } from './answer-timeouts.ts';
import type { Sender, UpstreamClient } from './client.ts';
import { requestEmbeddings } from './embeddings/request-embeddings.ts';
import type { OpenBody, RequestSource } from './request-body.ts';
import { UpstreamError, unreadable } from './upstream-error.ts';

export interface CompletionRequest extends TimeoutSettings, Sender {
  /** The call that is to be answered. */
  callId: string;
  model: string;
  request: RequestSource;
  streamed: boolean;
  signal: AbortSignal;
}

type OnDelta = (delta: Delta) => Promise<void>;

/** How long the rest of a response is read for its usage: after an error in it, and after a `[DONE]` before which there was none. */
const restMs = { afterError: 1_000, afterDone: 100 };

/**
 * Sends one request to one model. Fills `result` while the response is read, and passes each piece of a stream to `onDelta`, in
 * order. Throws `UpstreamError`, or the reason of the signal when it was aborted.
 */
export async function requestCompletion(
  client: UpstreamClient,
  request: CompletionRequest,
  result: CompletionResult,
  onDelta: OnDelta,
): Promise<void> {
  const body = await request.request.open(request);
  const { inputs } = body;
  if (inputs !== undefined) return requestEmbeddings(client, request, { ...body, inputs }, result);
  const timeouts = new AnswerTimeouts(request);
  const signal = AbortSignal.any([request.signal, timeouts.signal]);
  const answer = new Answer(result, body, request.callId);
  try {
    const response = await send(client, body, request, signal);
    const thread = new ThreadShare();
    const reading = new Reading(answer, timeouts, thread, request.streamed ? onDelta : async () => undefined);
    let source: AnswerSource | undefined;
    try {
      source = await readAnswer(response.body, thread);
      await reading.read(source);
      if (!reading.isUnderstood && !request.streamed) throw unreadable();
      await reading.end();
      answer.requireEnd(source.form, reading.isDone);
    } finally {
      answer.close();
      const isStream = request.streamed || source?.form === 'events';
      result.reportedCostUsd = chooseCost(response.reportedCost, result.reportedCostUsd, isStream);
    }
  } catch (error) {
    if (error instanceof UpstreamError) error.mayAskWithout = body.leaveOut(error.namedFields);
    throw error;
  } finally {
    timeouts.close();
  }
}

/** The upstream has the body once it answers, or does not need it any more. */
const send = (client: UpstreamClient, body: OpenBody, sender: Sender, signal: AbortSignal) =>
  client.chat(body.content, sender, signal).finally(() => body.close());

/**
 * The header has precedence over the body: `spec 4.5`. The header of a stream was sent before the answer, and is often 0: there it
 * counts where the body names no cost. `spec 4.10`
 */
function chooseCost(header: unknown, inBody: string | undefined, isStream: boolean): string | undefined {
  const inHeader = reportedCost(header);
  if (!isStream) return inHeader ?? inBody;
  return inBody ?? (inHeader === '0' ? undefined : inHeader);
}

/** The reading of one answer, whose content is passed on until its end or an error. */
class Reading {
  isDone = false;
  /** A completion has arrived. */
  isUnderstood = false;
  private failure: UpstreamError | undefined;
  private readonly answer: Answer;
  private readonly timeouts: AnswerTimeouts;
  private readonly thread: ThreadShare;
  private readonly onDelta: OnDelta;

  constructor(answer: Answer, timeouts: AnswerTimeouts, thread: ThreadShare, onDelta: OnDelta) {
    this.answer = answer;
    this.timeouts = timeouts;
    this.thread = thread;
    this.onDelta = onDelta;
  }

  /** Throws the first error of the answer. What follows it is read for its usage. */
  async read({ pieces }: AnswerSource): Promise<void> {
    try {
      for await (const piece of pieces) {
        if (piece === 'done' && this.isRestUnneeded()) break;
        await this.handle(piece);
        const { pauseMs } = this.thread;
        if (pauseMs > 0) await this.timeouts.during(() => pause(pauseMs));
      }
    } catch (error) {
      if (!(error instanceof UpstreamError) || !(this.failure || this.isDone)) throw error;
    }
    if (this.failure) throw this.failure;
  }

  /** Passes on what was held back until the end. */
  async end(): Promise<void> {
    await this.timeouts.during(async () => {
      for (const delta of this.answer.end()) await this.onDelta(delta);
    });
  }

  /** After `[DONE]` nothing is waited for, unless the usage is missing. */
  private isRestUnneeded(): boolean {
    if (this.failure || this.isDone || this.answer.hasUsage) {
      this.isDone = true;
      return true;
    }
    this.isDone = true;
    this.timeouts.endWithin(restMs.afterDone);
    return false;
  }

  private async handle(piece: Received): Promise<void> {
    if (piece === 'done') return;
    if (typeof piece === 'object') {
      this.isUnderstood = true;
      this.thread.measure(() => this.answer.addDetails(piece));
    }
    if (this.failure || this.isDone) return;
    try {
      await this.timeouts.during(() => this.passOn(piece));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.failure = error;
      this.timeouts.endWithin(restMs.afterError);
    }
  }

  private async passOn(piece: Exclude<Received, 'done'>): Promise<void> {
    if (piece === 'unreadable') throw unreadable();
    if (piece === 'cut') return this.answer.cut();
    for (const delta of this.thread.measure(() => this.answer.addContent(piece))) await this.onDelta(delta);
  }
}
