import { CallStream } from './call-stream.ts';
import { APITimeoutError, callFailure } from './errors.ts';
import { path, type RequestOptions, type Transport } from './transport.ts';
import type { AcceptedCall, CallResponse, CallStatus, CallWithPayload } from './types.generated.ts';

/** How long the gateway lets a reader wait for the end of a call at most. */
const maxWaitSeconds = 60;
/** How much longer the client waits for that answer. */
const graceMs = 30_000;
export interface WaitOptions extends Omit<RequestOptions, 'timeout'> {
  /** Milliseconds to wait for the end of the call, then `APITimeoutError`. The call goes on. Default: as long as it takes. */
  timeout?: number | undefined;
}

/** A call that goes on at the gateway, whatever becomes of this program. */
export class Call {
  readonly #transport: Transport;
  declare readonly job_id: string;
  declare readonly call_id: string;
  /** As of the last answer about the call. */
  declare readonly status: CallStatus;

  constructor(transport: Transport, fields: AcceptedCall) {
    this.#transport = transport;
    this.#set(fields);
  }

  /** A call with the fields of an answer. */
  static of<Fields extends AcceptedCall>(transport: Transport, fields: Fields): Call & Fields {
    return new Call(transport, fields) as Call & Fields;
  }

  /** The answer, once the call has ended. Throws `CallFailedError` if it failed. */
  async wait({ timeout = Number.POSITIVE_INFINITY, ...options }: WaitOptions = {}): Promise<CallResponse> {
    const until = performance.now() + timeout;
    for (;;) {
      const remainingMs = until - performance.now();
      const seconds = Math.max(0, Math.min(maxWaitSeconds, Math.floor(remainingMs / 1_000)));
      const call = await this.#read({ wait: seconds }, { ...options, timeout: seconds * 1_000 + graceMs });
      this.#set({ status: call.status });
      if (call.status === 'succeeded') return this.#answerOf(call, options);
      if (call.status === 'failed' || call.status === 'refused')
        throw callFailure(call.error ?? 'The call failed', call.error_code ?? 'call_failed', call.request_id);
      if (until - performance.now() < 1_000) throw new APITimeoutError('The call has not ended in time; it goes on');
    }
  }

  /** The answer from its start, while it comes or afterwards. */
  stream(options?: RequestOptions): CallStream {
    return new CallStream(this.#transport, this, options);
  }

  /** Ends the call with what it has answered so far, which is then a success with the finish reason `stopped`. */
  async stop(options?: RequestOptions): Promise<CallWithPayload> {
    const stop = path`/api/jobs/${this.job_id}/calls/${this.call_id}/stop`;
    const call = await this.#transport.post<CallWithPayload>(stop, undefined, options);
    this.#set({ status: call.status });
    return call;
  }

  /** Reads the fields of the call again, into this object. */
  async refresh(options?: RequestOptions): Promise<this & CallWithPayload> {
    this.#set(await this.#read({}, options));
    return this as this & CallWithPayload;
  }

  #read(query: object, options?: RequestOptions): Promise<CallWithPayload> {
    return this.#transport.get(path`/api/jobs/${this.job_id}/calls/${this.call_id}`, query, options);
  }

  /** The stream has the answer in the form of the API, however long it is. */
  async #answerOf(call: CallWithPayload, options: RequestOptions): Promise<CallResponse> {
    const { call_id, total_tokens, latency_ms, requested_model } = call;
    const { response } = await this.stream(options).finalResponse();
    return { call_id, response, metadata: { tokens_used: total_tokens, latency_ms, model_group: requested_model } };
  }

  /** A field that a later gateway may have does not replace a method. */
  #set(fields: object): void {
    Object.assign(this, Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in Call.prototype))));
  }
}
