import { randomUUID } from 'node:crypto';
import { QueryRejectedError, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { type QueryDefinition, type SignalDefinition, WorkflowIdReusePolicy } from '@temporalio/common';
import type { JobCall, JobView, Refused, Verdict } from '../../../workflows/contract/messages.ts';
import * as messages from '../../../workflows/contract/messages.ts';
import type { JobWorkflow, JobWorkflowResult } from '../../../workflows/contract/workflows.ts';
import type { Database } from '../../db/connection/database.ts';
import { deferSettlement } from '../../db/jobs/defer-settlement.ts';
import { findJob } from '../../db/jobs/find-job.ts';
import type { JobStartRow } from '../../db/jobs/job-start-row.ts';
import { workflowId } from '../../domain/ids.ts';
import { isFinished, type JobResult } from '../../domain/job-state.ts';
import type { Metadata } from '../../domain/metadata.ts';
import { Unavailable } from '../../errors.ts';
import { type Availability, waitWhileAvailable } from '../../liveness/availability.ts';
import type { SignalNotices } from '../../redis/completion-batching.ts';
import type { Temporal } from '../connection/client.ts';
import { type IdleTimes, jobWorkflow } from './job-workflow.ts';

/** The outcome of a command: the job's end, or a refusal; undefined when the workflow had ended before the command came. */
export type CommandOutcome = { result: JobResult } | { refused: Refused } | undefined;

/** The commands on a job. Each is a signal, and starts the workflow of a job whose start was lost. They throw `Unavailable`. */
export interface Jobs {
  /** Throws `Unavailable` while Temporal or every worker is unavailable: called before anything is written. */
  requireWorkers(): void;
  start(job: JobStartRow): Promise<void>;
  /** `startsJob`: the first call starts the workflow too. False: the job has ended and accepts no call. */
  addCall(job: JobStartRow, call: JobCall, startsJob: boolean): Promise<boolean>;
  updateMetadata(job: JobStartRow, metadata: Metadata): Promise<Verdict | undefined>;
  complete(job: JobStartRow, command: Omit<messages.CompleteSignal, 'command_id'>): Promise<CommandOutcome>;
  /** `auditEntry`: for `audit`, when an admin cancels; written with the end, if this command ends the job. */
  cancel(job: JobStartRow, reason: string | null, auditEntry?: string): Promise<CommandOutcome>;
  /** Waits for the end of a job. */
  result(jobId: string): Promise<JobResult>;
  /** The state in the workflow of an open job; undefined if the workflow does not respond within a second. */
  state(jobId: string): Promise<JobView | undefined>;
}

/** `docs/architecture.md`, "Reading": after this the job is read from the record. */
const stateTimeoutMs = 1_000;

export interface JobsDeps {
  temporal: Temporal;
  database: Database;
  signalNotices: SignalNotices;
}

export function createJobs(
  { temporal, database, signalNotices }: JobsDeps,
  availability: Availability,
  idle: IdleTimes,
): Jobs {
  const optionsOf = (job: JobStartRow) => jobWorkflow(job, temporal.taskQueue, idle);
  const { handleOf, query, queryVerdict, awaitResult } = createJobQueries(temporal);
  const { workers } = availability;
  const isTemporalUnavailable = () => availability.temporal.isUnavailable();

  function requireWorkers(): void {
    if (isTemporalUnavailable()) throw new Unavailable('temporal');
    if (workers.isUnavailable()) throw new Unavailable('worker');
  }

  /**
   * A workflow completes after its job's end was recorded. So if the job is open nevertheless, its record was restored from a
   * backup of before that end, and it continues in a new run. Maintenance ends jobs whose workflow was terminated.
   */
  async function isRestored({ job_id }: JobStartRow): Promise<boolean> {
    const { status } = await temporal.request(() => handleOf(job_id).describe());
    if (status.name !== 'COMPLETED') return false;
    const job = await findJob(database, job_id);
    return job !== undefined && !isFinished(job.status);
  }

  /** False: the job has ended. */
  async function signalWithStart<T>(job: JobStartRow, signal: SignalDefinition<[T]>, message: T): Promise<boolean> {
    const options = { ...optionsOf(job), signal, signalArgs: [message] as [T] };
    try {
      await temporal.request((client) => client.workflow.signalWithStart('job', options));
    } catch (error) {
      const hasEnded = error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
      if (!hasEnded) throw error;
      if (!(await isRestored(job))) return false;
      const restart = { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE };
      await temporal.request((client) => client.workflow.signalWithStart('job', restart));
    }
    return true;
  }

  /** False: the job has ended. First a plain signal: half the work of one that may start the workflow. */
  async function signalJob<T>(
    job: JobStartRow,
    signal: SignalDefinition<[T]>,
    message: T,
    awaitsEnd = false,
  ): Promise<boolean> {
    requireWorkers();
    if (job.single_call && !(await deferSettlement(database, job.job_id))) return false;
    signalNotices.notify(workflowId.job(job.job_id), awaitsEnd);
    try {
      await temporal.request(() => handleOf(job.job_id).signal(signal, message));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return signalWithStart(job, signal, message);
      throw error;
    }
  }

  /** The verdict on an update whose job ended before the query: from the job's result, or else from the record. */
  async function verdictAfterEnd(jobId: string, commandId: string, signal: AbortSignal): Promise<Verdict | undefined> {
    const { accepted_commands, metadata_updates } = await awaitResult(jobId, signal);
    const own = metadata_updates[commandId];
    if (own) return { accepted: true, ...own };
    const job = accepted_commands.includes(commandId) ? await findJob(database, jobId) : undefined;
    return job && { accepted: true, metadata: job.metadata, updated_at: job.updated_at.getTime() };
  }

  async function end<T>(
    job: JobStartRow,
    signal: SignalDefinition<[T]>,
    message: T & { command_id: string },
  ): Promise<CommandOutcome> {
    if (!(await signalJob(job, signal, message, true))) return undefined;
    return waitWhileAvailable(availability, workers.isUnavailable, (ending) => {
      const result = awaitResult(job.job_id, ending);
      const refusal = queryVerdict(job.job_id, message.command_id).then(async (verdict) => {
        if (verdict && !verdict.accepted) return { refused: verdict };
        return { result: await result };
      });
      // The verdict matters only if it is a refusal: a result that comes first is the outcome.
      return Promise.any([result.then((reached) => ({ result: reached })), refusal]).catch((failed: AggregateError) => {
        throw failed.errors[0];
      });
    });
  }

  return {
    requireWorkers,
    async start(job) {
      await temporal
        .request((client) => client.workflow.start('job', optionsOf(job)))
        .catch((error: unknown) => {
          // A late repetition: the workflow has run and ended already.
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        });
    },
    async addCall(job, { opens_job, ...call }, startsJob) {
      const message = { ...call, ...(opens_job && { opens_job }) };
      if (!startsJob) return signalJob(job, messages.llmCall, message);
      requireWorkers();
      return signalWithStart(job, messages.llmCall, message);
    },
    async updateMetadata(job, metadata) {
      const command_id = randomUUID();
      if (!(await signalJob(job, messages.updateMetadata, { command_id, metadata }))) return undefined;
      return waitWhileAvailable(
        availability,
        workers.isUnavailable,
        async (ending) =>
          (await queryVerdict(job.job_id, command_id)) ?? verdictAfterEnd(job.job_id, command_id, ending),
      );
    },
    complete: (job, command) => end(job, messages.complete, { ...command, command_id: randomUUID() }),
    cancel: (job, reason, audit_entry) =>
      end(job, messages.cancel, { reason, command_id: randomUUID(), ...(audit_entry && { audit_entry }) }),
    // The call has been made and paid for, so the client waits for a restart: a worker that returns ends the job.
    result: (jobId) => waitWhileAvailable(availability, workers.isGone, (ending) => awaitResult(jobId, ending)),
    async state(jobId) {
      if (isTemporalUnavailable() || workers.isUnavailable()) return undefined;
      return temporal.request(() => query(jobId, messages.jobState), stateTimeoutMs).catch(() => undefined);
    },
  };
}

/** `WorkflowExecutionStatus` of Temporal's API. */
const continuedAsNew = 6;

/** What is read from a job's workflow. */
function createJobQueries(temporal: Temporal) {
  const handleOf = (jobId: string) => temporal.client.workflow.getHandle<JobWorkflow>(workflowId.job(jobId));

  /** Queries the current run. A run that has just continued as new rejects the query, which is then sent to the next run. */
  async function query<Result, Args extends unknown[]>(
    jobId: string,
    definition: QueryDefinition<Result, Args>,
    ...args: Args
  ): Promise<Result> {
    for (;;) {
      try {
        return await handleOf(jobId).query(definition, ...args);
      } catch (error) {
        if (!(error instanceof QueryRejectedError) || error.status !== continuedAsNew) throw error;
      }
    }
  }

  /**
   * A query is processed after the signals that came before it, so the verdict on a command exists by then. Null: the job has
   * ended. Throws `Unavailable` if 1,000 later commands have displaced the verdict; the command itself was executed or refused.
   */
  async function queryVerdict(jobId: string, commandId: string): Promise<Verdict | null> {
    try {
      const verdict = await temporal.request(() => query(jobId, messages.commandOutcome, commandId));
      if (!verdict) throw new Unavailable('job');
      return verdict;
    } catch (error) {
      if (error instanceof QueryRejectedError) return null;
      throw error;
    }
  }

  const awaitResult = (jobId: string, signal: AbortSignal): Promise<JobWorkflowResult> =>
    temporal.client
      .withAbortSignal(signal, () => handleOf(jobId).result())
      .catch((error: unknown) => {
        // Also for a terminated workflow, whose job is ended by maintenance.
        throw new Unavailable('temporal', { cause: error });
      });

  return { handleOf, query, queryVerdict, awaitResult };
}
