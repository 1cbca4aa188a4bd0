import { Call } from './call.ts';
import { CallStream } from './call-stream.ts';
import { JobGatewayError } from './errors.ts';
import { errorMessageOf, type InBackground, type InForeground, Job, respondAsync } from './job.ts';
import { type Pages, pagesOf } from './pages.ts';
import { path, type Request, type RequestOptions, type Transport } from './transport.ts';
import type {
  AcceptedCall,
  CancelledJobs,
  CreatedJob,
  JobCancellations,
  JobCreation,
  JobList,
  JobOutcome,
  JobWithBudget,
  ListedJob,
  ListJobsQuery,
  SingleCallRequest,
  SingleCallResponse,
} from './types.generated.ts';

/** `team_id` is that of the client, if it has one. */
type OfTeam<Body extends { team_id: string }> = Omit<Body, 'team_id'> & { team_id?: string | undefined };

export type JobParameters = OfTeam<JobCreation>;
export type SingleCallParameters = OfTeam<SingleCallRequest>;

/** The end of a job that `run` has completed, with what the function has returned. */
export type RunOutcome<Result> = JobOutcome & { result: Result };

export class Jobs {
  readonly #transport: Transport;
  readonly #teamId: string | undefined;

  constructor(transport: Transport, teamId: string | undefined) {
    this.#transport = transport;
    this.#teamId = teamId;
  }

  /** Opens a job. */
  async create(body: JobParameters, options?: RequestOptions): Promise<Job & CreatedJob> {
    const created = this.#transport.post<CreatedJob>('/api/jobs/create', this.#ofTeam(body), options);
    return Job.of(this.#transport, await created);
  }

  async retrieve(jobId: string, options?: RequestOptions): Promise<Job & JobWithBudget> {
    return Job.of(this.#transport, await this.#transport.get<JobWithBudget>(path`/api/jobs/${jobId}`, {}, options));
  }

  /** Jobs, the newest first. `limit` is the length of a page. */
  list(query: ListJobsQuery = {}, options?: RequestOptions): Pages<Job & ListedJob, JobList> {
    const itemsOf = ({ jobs }: JobList) => jobs.map((job) => Job.of(this.#transport, job));
    return pagesOf(this.#transport, '/api/jobs', query, itemsOf, options);
  }

  /** Opens a job, gives it to the function, and completes it; or ends it as failed with the message of what the function throws. */
  async run<Result>(
    body: JobParameters,
    work: (job: Job & CreatedJob) => Result | Promise<Result>,
    options: Pick<RequestOptions, 'signal' | 'idempotencyKey'> = {},
  ): Promise<RunOutcome<Result>> {
    const job = await this.create(body, options);
    let result: Result;
    try {
      result = await work(job);
    } catch (error) {
      // What the function has thrown counts more than a report that fails.
      if (!job.outcome) await job.fail(errorMessageOf(error)).catch(() => undefined);
      throw error;
    }
    return { ...(job.outcome ?? (await job.complete())), result };
  }

  /** A job of one call. With `background: true` it returns a `Call` as soon as the gateway has it. */
  createAndCall(body: SingleCallParameters & InForeground, options?: RequestOptions): Promise<SingleCallResponse>;
  createAndCall(body: SingleCallParameters & InBackground, options?: RequestOptions): Promise<Call>;
  async createAndCall(
    { background, ...body }: SingleCallParameters & { background?: boolean | undefined },
    options?: RequestOptions,
  ): Promise<SingleCallResponse | Call> {
    const request: Request = {
      method: 'POST',
      path: '/api/jobs/create-and-call',
      body: this.#ofTeam(body),
      isCall: true,
    };
    if (!background) return this.#transport.json<SingleCallResponse>(request, options);
    const accepted = this.#transport.json<AcceptedCall>({ ...request, headers: respondAsync }, options);
    return new Call(this.#transport, await accepted);
  }

  /** A job of one call whose answer comes piece by piece. The job is made when the stream is read. */
  createAndStreamCall(body: SingleCallParameters, options?: RequestOptions): CallStream {
    const request: Request = {
      method: 'POST',
      path: '/api/jobs/create-and-call-stream',
      body: this.#ofTeam(body),
      isCall: true,
    };
    return new CallStream(this.#transport, { job_id: undefined, request }, options);
  }

  /** Cancels the jobs of a list or of a filter, at most 1,000. */
  cancel(body: JobCancellations, options?: RequestOptions): Promise<CancelledJobs> {
    return this.#transport.post('/api/jobs/cancel', body, options);
  }

  #ofTeam<Body extends { team_id?: string | undefined }>(body: Body): Body & { team_id: string } {
    const team_id = body.team_id ?? this.#teamId;
    if (!team_id)
      throw new JobGatewayError('team_id is missing: give it, or teamId to the client, or set JOB_GATEWAY_TEAM_ID');
    return { ...body, team_id };
  }
}
