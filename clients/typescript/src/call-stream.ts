import { wait } from './attempt.ts';
import { type CallChunk, Delivered, type ToolCallPiece } from './delivered.ts';
import { APIConnectionError, APIError, callFailure, JobGatewayError, NotFoundError } from './errors.ts';
import { readEvents } from './read-events.ts';
import { backoffMs } from './repetition.ts';
import { type Opened, path, type Request, type RequestOptions, type Transport } from './transport.ts';
import type {
  CallWithPayload,
  ChatCompletionChunkUsage,
  ErrorCode,
  ModelResponse,
  ToolCall,
} from './types.generated.ts';

/** What a stream has answered as a whole. */
export interface StreamedResponse {
  job_id: string;
  call_id: string;
  response: ModelResponse;
  usage: ChatCompletionChunkUsage | null;
}

interface ErrorEvent {
  error: { message: string; type: string; code: ErrorCode };
}

/** The call that a stream is about, and the request that makes it; without one the call exists already. */
interface Source {
  job_id: string | undefined;
  call_id?: string;
  request?: Request;
}

/** No worker has begun the call, which is gone without an effect: the same request may make it. */
class RetractedError extends APIError {}

/**
 * The answer of a call while it comes. Iterate it for the pieces of the text, or `events()` for everything. A connection that breaks off is
 * opened again, and the answer goes on where it was: nothing is missing, and nothing comes twice.
 */
export class CallStream implements AsyncIterable<string> {
  readonly #transport: Transport;
  readonly #options: RequestOptions;
  readonly #request: Request | undefined;
  readonly #delivered = new Delivered();
  readonly #toolCalls: ToolCall[] = [];
  #content = '';
  #finishReason: string | null = null;
  #usage: ChatCompletionChunkUsage | null = null;
  #requestId: string | null = null;
  #lastEventId = '';
  #hasBegun = false;
  #state: 'new' | 'reading' | 'ended' | 'left' = 'new';
  /** The job of the call; of `createAndStreamCall` known from the first event on. */
  job_id: string | undefined;
  /** The call: known from the first event on. */
  call_id: string | undefined;

  constructor(transport: Transport, { job_id, call_id, request }: Source, options: RequestOptions = {}) {
    this.#transport = transport;
    this.#request = request;
    // A stream that is opened anew makes the same call.
    this.#options = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() };
    this.job_id = job_id;
    this.call_id = call_id;
  }

  /** The pieces of the text. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const { choices } of this.events()) {
      const content = choices[0]?.delta.content;
      if (content) yield content;
    }
  }

  /** Each chunk of the answer: pieces of text and of tool calls, the finish reason, and the usage. Can be iterated once. */
  async *events(): AsyncGenerator<CallChunk, void, undefined> {
    if (this.#state !== 'new') throw new JobGatewayError('A stream can be iterated once');
    this.#state = 'reading';
    try {
      for await (const chunk of this.#chunks()) {
        this.#add(chunk);
        yield chunk;
      }
      this.#state = 'ended';
    } finally {
      if (this.#state === 'reading') this.#state = 'left';
    }
  }

  /** The whole answer. Reads the stream to its end, unless the program has done so. */
  async finalResponse(): Promise<StreamedResponse> {
    if (this.#state === 'new') for await (const _ of this.events());
    if (this.#state !== 'ended') throw new JobGatewayError('The stream was not read to its end');
    return {
      job_id: this.job_id!,
      call_id: this.call_id!,
      response: {
        content: this.#content,
        finish_reason: this.#finishReason!,
        ...(this.#toolCalls.length > 0 && { tool_calls: this.#toolCalls }),
      },
      usage: this.#usage,
    };
  }

  /** Ends the call with what it has answered so far: the stream then ends with the finish reason `stopped`. */
  async stop(options?: RequestOptions): Promise<CallWithPayload> {
    if (!this.call_id) throw new JobGatewayError('The call has not begun yet');
    return this.#transport.post(path`/api/jobs/${this.job_id!}/calls/${this.call_id}/stop`, undefined, options);
  }

  /** What comes, over as many connections as it needs. Those that bring nothing new count as repetitions. */
  async *#chunks(): AsyncGenerator<CallChunk, void, undefined> {
    const maxRetries = this.#transport.maxRetriesOf(this.#options);
    let fruitless = 0;
    for (;;) {
      const opened = await this.#open();
      if (!opened) return;
      let isFruitful = false;
      try {
        for await (const chunk of this.#read(opened)) {
          isFruitful = true;
          yield chunk;
        }
        return;
      } catch (error) {
        const isCut = error instanceof RetractedError || error instanceof APIConnectionError;
        fruitless = isFruitful ? 0 : fruitless + 1;
        if (!isCut || maxRetries === 0 || fruitless > maxRetries) throw error;
      }
      if (!isFruitful) await wait(backoffMs(fruitless - 1, Math.random()), this.#options.signal);
    }
  }

  /** What one connection brings. Throws `APIConnectionError` where it breaks off. */
  async *#read(opened: Opened): AsyncGenerator<CallChunk, void, undefined> {
    for await (const { id, data } of readEvents(opened)) {
      if (data === '[DONE]') return;
      const event = JSON.parse(data) as CallChunk | ErrorEvent;
      if ('error' in event) throw this.#failureOf(event);
      const chunk = this.#delivered.take(event);
      if (id) this.#lastEventId = id;
      if (chunk) yield chunk;
    }
    throw new APIConnectionError('The stream broke off');
  }

  #failureOf({ error: { message, code } }: ErrorEvent): APIError {
    const isRetracted = code === 'unavailable' && this.#request && this.#delivered.isEmpty;
    if (isRetracted) this.call_id = undefined;
    return isRetracted
      ? new RetractedError({
          status: 503,
          code,
          detail: message,
          requestId: this.#requestId,
          retryAfter: null,
          body: null,
        })
      : callFailure(message, code, this.#requestId);
  }

  /** The next connection; null where the answer was read to its end before. */
  async #open(): Promise<Opened | null> {
    if (!this.call_id) return this.#make();
    try {
      return await this.#readOn();
    } catch (error) {
      // A call that no worker began is gone; the same request then makes it.
      if (!(error instanceof NotFoundError && this.#request && this.#delivered.isEmpty)) throw error;
      return this.#make();
    }
  }

  async #make(): Promise<Opened> {
    this.#delivered.startAgain();
    const request = { ...this.#request!, isContinued: this.#hasBegun };
    return this.#begun(await this.#transport.open(request, this.#options));
  }

  async #readOn(): Promise<Opened | null> {
    if (!this.#lastEventId) this.#delivered.startAgain();
    const opened = await this.#transport.open(
      {
        method: 'GET',
        path: path`/api/jobs/${this.job_id!}/calls/${this.call_id!}/stream`,
        ...(this.#lastEventId && { headers: { 'Last-Event-ID': this.#lastEventId } }),
        isCall: true,
        isContinued: this.#hasBegun,
      },
      this.#options,
    );
    if (opened.response.status !== 204) return this.#begun(opened);
    opened.attempt.end();
    return null;
  }

  #begun(opened: Opened): Opened {
    this.#hasBegun = true;
    const { headers } = opened.response;
    this.job_id = headers.get('x-job-id') ?? this.job_id;
    this.call_id = headers.get('x-call-id') ?? this.call_id;
    this.#requestId = headers.get('x-request-id');
    return opened;
  }

  #add({ choices: [choice], usage }: CallChunk): void {
    if (usage) this.#usage = usage;
    if (!choice) return;
    this.#content += choice.delta.content ?? '';
    for (const piece of choice.delta.tool_calls ?? []) this.#addToToolCall(piece);
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }

  #addToToolCall({ index, id, function: { name, arguments: text = '' } = {} }: ToolCallPiece): void {
    this.#toolCalls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } };
    const call = this.#toolCalls[index];
    call.id ||= id ?? '';
    call.function.name ||= name ?? '';
    call.function.arguments += text;
  }
}
