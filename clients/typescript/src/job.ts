import { Call } from './call.ts';
import { CallStream } from './call-stream.ts';
import { type Pages, pagesOf } from './pages.ts';
import { path, type Request, type RequestOptions, type Transport } from './transport.ts';
import type {
  AcceptedCall,
  AcceptedJob,
  BudgetRequest,
  CallRecord,
  CallRequest,
  CallResponse,
  CallWithPayload,
  ChangedBudget,
  DeletedPayloads,
  GetJobCallQuery,
  GetJobTimelineQuery,
  JobCalls,
  JobCancellation,
  JobCompletion,
  JobCostBreakdown,
  JobOutcome,
  JobTimeline,
  JobWithBudget,
  ListJobCallsQuery,
  UpdatedMetadata,
} from './types.generated.ts';

/** With it a call or a completion is answered at once, and goes on at the gateway. */
export interface InBackground {
  background: true;
}

export interface InForeground {
  background?: false | undefined;
}

export const respondAsync = { Prefer: 'respond-async' };

export type Completion = Omit<JobCompletion, 'status' | 'error_message'>;
export type FailureReport = Omit<JobCompletion, 'status'>;

const maxMessageLength = 1_000;
const notStorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A message as the gateway stores it: the report of a failure must not fail for its length or its characters. */
export const errorMessageOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const cut = Array.from(text.slice(0, 2 * maxMessageLength))
    .slice(0, maxMessageLength)
    .join('');
  return cut.replaceAll(notStorable, '\ufffd');
};

/** The calls of a job, by their ids. */
export class Calls {
  readonly #transport: Transport;
  readonly #jobId: string;

  constructor(transport: Transport, jobId: string) {
    this.#transport = transport;
    this.#jobId = jobId;
  }

  list(query: ListJobCallsQuery = {}, options?: RequestOptions): Pages<CallRecord, JobCalls> {
    return pagesOf<CallRecord, JobCalls>(
      this.#transport,
      path`/api/jobs/${this.#jobId}/calls`,
      query,
      ({ calls }) => calls,
      options,
    );
  }

  /** A call of the job, whoever made it; with `include` also its texts. */
  async retrieve(
    callId: string,
    { include, ...query }: GetJobCallQuery = {},
    options?: RequestOptions,
  ): Promise<Call & CallWithPayload> {
    const fields = await this.#transport.get<CallWithPayload>(
      path`/api/jobs/${this.#jobId}/calls/${callId}`,
      { ...query, ...(include && { include: String(include) }) },
      options,
    );
    return Call.of(this.#transport, fields);
  }

  /** The answer of a call from its start. */
  stream(callId: string, options?: RequestOptions): CallStream {
    return new CallStream(this.#transport, { job_id: this.#jobId, call_id: callId }, options);
  }

  stop(callId: string, options?: RequestOptions): Promise<CallWithPayload> {
    return this.#transport.post(path`/api/jobs/${this.#jobId}/calls/${callId}/stop`, undefined, options);
  }
}

/** A job: the fields of the answer that it came with, and what can be done with it. */
export class Job {
  readonly #transport: Transport;
  #outcome: JobOutcome | undefined;
  declare readonly job_id: string;

  constructor(transport: Transport, fields: { job_id: string }) {
    this.#transport = transport;
    this.#set(fields);
  }

  /** A job with the fields of an answer. */
  static of<Fields extends { job_id: string }>(transport: Transport, fields: Fields): Job & Fields {
    return new Job(transport, fields) as Job & Fields;
  }

  get calls(): Calls {
    return new Calls(this.#transport, this.job_id);
  }

  /** How the job ended, if it was ended by this object. */
  get outcome(): JobOutcome | undefined {
    return this.#outcome;
  }

  /** Makes a call and returns its answer. With `background: true` it returns a `Call` as soon as the gateway has it. */
  call(body: CallRequest & InForeground, options?: RequestOptions): Promise<CallResponse>;
  call(body: CallRequest & InBackground, options?: RequestOptions): Promise<Call>;
  async call(
    { background, ...body }: CallRequest & { background?: boolean | undefined },
    options?: RequestOptions,
  ): Promise<CallResponse | Call> {
    const request: Request = { method: 'POST', path: path`/api/jobs/${this.job_id}/llm-call`, body, isCall: true };
    if (!background) return this.#transport.json<CallResponse>(request, options);
    const accepted = this.#transport.json<AcceptedCall>({ ...request, headers: respondAsync }, options);
    return new Call(this.#transport, await accepted);
  }

  /** Makes a call whose answer comes piece by piece. The call is made when the stream is read. */
  stream(body: CallRequest, options?: RequestOptions): CallStream {
    const { job_id } = this;
    const request: Request = { method: 'POST', path: path`/api/jobs/${job_id}/llm-call-stream`, body, isCall: true };
    return new CallStream(this.#transport, { job_id, request }, options);
  }

  /** Ends the job as completed, which charges it. Calls under way finish first, unless `background: true` does not wait for them. */
  complete(body?: Completion & InForeground, options?: RequestOptions): Promise<JobOutcome>;
  complete(body: Completion & InBackground, options?: RequestOptions): Promise<AcceptedJob | JobOutcome>;
  async complete(
    { background, ...body }: Completion & { background?: boolean | undefined } = {},
    options?: RequestOptions,
  ): Promise<JobOutcome | AcceptedJob> {
    return this.#end('complete', { ...body, status: 'completed' }, options, background ? respondAsync : undefined);
  }

  /** Ends the job as failed, with a message or a body of more fields. */
  async fail(report: string | FailureReport = {}, options?: RequestOptions): Promise<JobOutcome> {
    const body = typeof report === 'string' ? { error_message: errorMessageOf(report) } : report;
    return this.#end('complete', { ...body, status: 'failed' }, options);
  }

  /** Ends the job as cancelled; its calls under way are aborted. */
  async cancel(body?: JobCancellation, options?: RequestOptions): Promise<JobOutcome> {
    return this.#end('cancel', body, options);
  }

  /** Reads the fields of the job again, into this object. */
  async refresh(options?: RequestOptions): Promise<this & JobWithBudget> {
    this.#set(await this.#transport.get<JobWithBudget>(path`/api/jobs/${this.job_id}`, {}, options));
    return this as this & JobWithBudget;
  }

  /** Merges these keys into the metadata of the job. */
  updateMetadata(metadata: Record<string, unknown>, options?: RequestOptions): Promise<UpdatedMetadata> {
    return this.#transport.patch(path`/api/jobs/${this.job_id}/metadata`, { metadata }, options);
  }

  /** Changes the caps that are given; null lifts a cap. */
  changeBudget(body: BudgetRequest, options?: RequestOptions): Promise<ChangedBudget> {
    return this.#transport.patch(path`/api/jobs/${this.job_id}/budget`, body, options);
  }

  getCosts(options?: RequestOptions): Promise<JobCostBreakdown> {
    return this.#transport.get(path`/api/jobs/${this.job_id}/costs`, {}, options);
  }

  /** Everything that is known of the job, and the verdict why it was charged or not. */
  getTimeline(query: GetJobTimelineQuery = {}, options?: RequestOptions): Promise<JobTimeline> {
    return this.#transport.get(path`/api/jobs/${this.job_id}/timeline`, query, options);
  }

  /** Deletes the requests and responses of the ended job. */
  deletePayloads(options?: RequestOptions): Promise<DeletedPayloads> {
    return this.#transport.delete(path`/api/jobs/${this.job_id}/payloads`, options);
  }

  async #end(
    command: 'complete' | 'cancel',
    body: object | undefined,
    options?: RequestOptions,
    headers?: Record<string, string>,
  ): Promise<JobOutcome> {
    const ended = await this.#transport.json<JobOutcome>(
      {
        method: 'POST',
        path: path`/api/jobs/${this.job_id}/${command}`,
        body,
        headers,
        isCall: command === 'complete',
      },
      options,
    );
    if (ended.costs) this.#outcome = ended;
    this.#set({ status: ended.status });
    return ended;
  }

  /** A field that a later gateway may have does not replace a method. */
  #set(fields: object): void {
    Object.assign(this, Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in Job.prototype))));
  }
}
