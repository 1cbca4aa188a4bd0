import { randomUUID } from 'node:crypto';
import {
  QueryRejectedError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowOptions,
} from '@temporalio/client';
import type { QueryDefinition, SignalDefinition } from '@temporalio/common';
import type { SettleJobInput } from '../../../workflows/contract/activities.ts';
import type { CommandDecision, JobCall, JobView, Refused } from '../../../workflows/contract/messages.ts';
import * as messages from '../../../workflows/contract/messages.ts';
import type { JobInput, JobWorkflow, JobWorkflowResult } from '../../../workflows/contract/workflows.ts';
import { sealEnd } from '../../auth/sealed-end.ts';
import type { Secrets } from '../../auth/secrets.ts';
import { createSharedWork } from '../../concurrency/shared-work.ts';
import type { Database } from '../../db/connection/database.ts';
import { deferSettlement } from '../../db/jobs/defer-settlement.ts';
import { findJob, resultInRecord } from '../../db/jobs/find-job.ts';
import { findOpenJob } from '../../db/jobs/find-open-job.ts';
import type { JobStartRow } from '../../db/jobs/job-start-row.ts';
import type { CommandedEnd } from '../../domain/confirmed-end.ts';
import { workflowId } from '../../domain/ids.ts';
import type { FinalJobStatus, JobResult } from '../../domain/job-state.ts';
import type { Metadata } from '../../domain/metadata.ts';
import { Unavailable } from '../../errors.ts';
import type { Temporal } from '../connection/open-temporal.ts';
import { type Availability, waitWhileAvailable } from './availability.ts';
import { jobWorkflow, type NewRunOptions, resumedJobWorkflow } from './job-workflow.ts';
import { stateOfWorkflow } from './workflow-state.ts';

/** The outcome of a command: the job's end, or a refusal; undefined when the workflow had ended before the command came. */
export type CommandOutcome = { result: JobResult } | { refused: Refused } | undefined;

/** How the sender of a command waits. */
export interface CommandWait {
  /** Aborts when the client disconnects: nothing waits for the outcome then, and the command takes effect nevertheless. */
  disconnected: AbortSignal;
  /** Sends a command when its holder has its turn. `signal` ends the wait for the turn. */
  inTurn(send: () => Promise<boolean>, signal: AbortSignal): Promise<boolean>;
  /** Takes a place for a wait that takes longer than a moment. */
  place(): Promise<Place>;
}

export interface Place {
  /** Ends the wait: the client has disconnected, or seems to have. */
  left: AbortSignal;
  release(): void;
}

/** The commands on a job. Each is a signal, and resumes a job that has lost its workflow. They throw `Unavailable`. */
export interface Jobs {
  /** Throws `Unavailable` while Temporal or every worker is unavailable: called before anything is written. */
  requireWorkers(): void;
  start(job: JobStartRow): Promise<void>;
  /**
   * If the workflow of an open job is lost in whatever way, starts another one from the record, which ends the job or goes on with
   * it. False: the job has ended.
   */
  resume(jobId: string): Promise<boolean>;
  /** `startsJob`: the job is created with this call, which starts its workflow too. False: the job has ended and accepts no call. */
  addCall(job: JobStartRow, call: JobCall, startsJob: boolean): Promise<boolean>;
  updateMetadata(job: JobStartRow, metadata: Metadata, disconnected: AbortSignal): Promise<CommandDecision | undefined>;
  /** A completion that is sent while one with the same status is under way shares its signal and its outcome. */
  complete(job: JobStartRow, command: Completion, wait: CommandWait): Promise<CommandOutcome>;
  /** Sends a completion. Resolves with the decision on it; null or undefined: the job has ended. Nobody waits for its end. */
  submitCompletion(job: JobStartRow, command: Completion): Promise<CommandDecision | null | undefined>;
  /** The same. `auditEntry`: for `audit`, when an admin cancels; written with the end, if this command ends the job. */
  cancel(job: CommandedJob, command: Cancellation, wait: CommandWait): Promise<CommandOutcome>;
  /**
   * Repeats the command by which a job has ended whose end the record has lost: a resumed job ends by it again. Its seal is that of the
   * command, and is checked when the job is settled. False: the job has ended.
   */
  repeatEnd(settlement: SettleJobInput): Promise<boolean>;
  /** Sends the job its deadline, which its record has already: when it ends by it, or null. */
  changeDeadline(jobId: string, cutoffAt: Date | null): Promise<void>;
  /** Waits for the end of a job, until `disconnected` aborts. */
  result(jobId: string, disconnected?: AbortSignal): Promise<JobResult>;
  /** The state in the workflow of an open job; undefined if the workflow does not respond within a second. */
  state(jobId: string): Promise<JobView | undefined>;
}

/** All of a job that a command needs: if its workflow is lost, the rest is read. */
export type CommandedJob = Pick<JobStartRow, 'job_id' | 'single_call'>;

export type Completion = Omit<messages.CompleteSignal, 'command_id' | 'sealed_end'>;

export interface Cancellation {
  reason: string | null;
  auditEntry?: string | undefined;
}

/** `docs/architecture.md`, "Reading": after this the job is read from the record. */
const stateTimeoutMs = 1_000;

/** The most workflows in a row that may be lost while one request waits for the end of a job. */
const maxLostInARow = 5;

/** A job whose calls have ended ends within this time: a longer wait for the end takes a place. */
const momentMs = 2_000;
/** A client that disconnects and sends the same command again within this time does not write another signal. */
const lingerMs = 10_000;

/** The outcome of a command that belongs to its sender alone: another one may be accepted. */
const isOfSender = (outcome: CommandOutcome): boolean =>
  outcome !== undefined && 'refused' in outcome && outcome.refused.reason === 'metadata_too_large';

export interface JobsDeps {
  secrets: Pick<Secrets, 'seal'>;
  temporal: Temporal;
  database: Database;
}

export function createJobs(
  { secrets, temporal, database }: JobsDeps,
  availability: Availability,
  newJobOptions: Omit<NewRunOptions, 'taskQueue'>,
): Jobs {
  const runOptions = { ...newJobOptions, taskQueue: temporal.taskQueue };
  const workflowOptions = (job: JobStartRow) => jobWorkflow(job, runOptions);
  const { getHandle, query, queryDecision, awaitResult: pollResult } = createJobQueries(temporal);
  /** The results by job: whoever waits for its end shares one long poll. */
  const results = createSharedWork<JobWorkflowResult>();
  /** The endings by job and by the end that is requested. */
  const endings = createSharedWork<CommandOutcome>({ lingerMs });
  const { workers } = availability;
  const isTemporalUnavailable = () => availability.temporal.isUnavailable();

  const newCommand = ({ job_id }: CommandedJob, end: CommandedEnd) => ({
    command_id: randomUUID(),
    sealed_end: sealEnd(secrets, job_id, end),
  });

  function requireWorkers(): void {
    if (isTemporalUnavailable()) throw new Unavailable('temporal');
    if (workers.isUnavailable()) throw new Unavailable('worker');
  }

  const awaitResult = async (jobId: string, signal: AbortSignal): Promise<JobWorkflowResult> =>
    (await results.join(jobId, (ending) => pollResult(jobId, ending), signal)).value;

  const startUnlessRunning = (options: WorkflowOptions & { args: [JobInput] }) =>
    temporal
      .request((client) => client.workflow.start('job', options))
      .catch((error: unknown) => {
        // The workflow has run and ended already.
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      });

  async function resume(jobId: string): Promise<boolean> {
    const state = await stateOfWorkflow(temporal, workflowId.job(jobId));
    if (state === 'running') return true;
    // The row is read after the state: a workflow ends by itself only when the end of its job is recorded.
    const job = await findOpenJob(database, jobId);
    if (!job) return false;
    await startUnlessRunning(resumedJobWorkflow(job, state, { ...runOptions, now: Date.now() }));
    return true;
  }

  /** False: the workflow is lost, or has ended. */
  async function send<T>(
    { job_id }: Pick<CommandedJob, 'job_id'>,
    signal: SignalDefinition<[T]>,
    message: T,
  ): Promise<boolean> {
    try {
      await temporal.request(() => getHandle(job_id).signal(signal, message));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /** False: the job has ended. First a plain signal: half the work of one that may start the workflow. */
  async function signalJob<T>(job: CommandedJob, signal: SignalDefinition<[T]>, message: T): Promise<boolean> {
    requireWorkers();
    if (job.single_call && !(await deferSettlement(database, job.job_id))) return false;
    return (await send(job, signal, message)) || ((await resume(job.job_id)) && send(job, signal, message));
  }

  /** The same for the call that a job is created with: one request starts the workflow with the signal. */
  async function signalFirstCall(job: JobStartRow, call: JobCall): Promise<boolean> {
    requireWorkers();
    const options = { ...workflowOptions(job), signal: messages.llmCall, signalArgs: [call] as [JobCall] };
    try {
      await temporal.request((client) => client.workflow.signalWithStart('job', options));
      return true;
    } catch (error) {
      const hasEnded = error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
      if (!hasEnded) throw error;
      return (await resume(job.job_id)) && send(job, messages.llmCall, call);
    }
  }

  /** Waits for the end of a job, which another workflow brings about when one is lost. */
  async function awaitEnd(jobId: string, signal: AbortSignal, mayBeLost = maxLostInARow): Promise<JobResult> {
    try {
      return await awaitResult(jobId, signal);
    } catch (error) {
      if (signal.aborted || mayBeLost === 0) throw error;
      if (await resume(jobId)) return awaitEnd(jobId, signal, mayBeLost - 1);
      const job = await findJob(database, jobId);
      const result = job && resultInRecord(job);
      if (!result) throw error;
      return result;
    }
  }

  /** The decision on an update whose job ended before the query: from the job's result, or else from the record. */
  async function decisionAfterEnd(
    jobId: string,
    commandId: string,
    signal: AbortSignal,
  ): Promise<CommandDecision | undefined> {
    const { accepted_commands, metadata_updates } = await awaitResult(jobId, signal);
    const own = metadata_updates[commandId];
    if (own) return { accepted: true, ...own };
    const job = accepted_commands.includes(commandId) ? await findJob(database, jobId) : undefined;
    return job && { accepted: true, metadata: job.metadata, updated_at: job.updated_at.getTime() };
  }

  /** `left`: nobody waits for the outcome any more. */
  async function sendAndAwait<T>(
    job: CommandedJob,
    { signal, message }: EndCommand<T>,
    inTurn: CommandWait['inTurn'],
    left: AbortSignal,
  ): Promise<CommandOutcome> {
    if (!(await inTurn(() => signalJob(job, signal, message), left))) return undefined;
    const awaitOutcome = (ending: AbortSignal) => {
      const result = awaitResult(job.job_id, ending);
      const refusal = queryDecision(job.job_id, message.command_id).then(async (decision) => {
        if (decision && !decision.accepted) return { refused: decision };
        return { result: await result };
      });
      // The decision matters only if it is a refusal: a result that comes first is the outcome.
      return Promise.any([result.then((reached) => ({ result: reached })), refusal]).catch((failed: AggregateError) => {
        throw failed.errors[0];
      });
    };
    return waitWhileAvailable(availability, workers.isUnavailable, awaitOutcome, left);
  }

  /** Requests that ask for the same end of a job at the same time send one signal, and wait for its outcome together. */
  async function end<T>(
    job: CommandedJob,
    command: EndCommand<T>,
    { disconnected, inTurn, place }: CommandWait,
  ): Promise<CommandOutcome> {
    const start = (left: AbortSignal) => sendAndAwait(job, command, inTurn, left);
    const outcomeUntil = async (signal: AbortSignal): Promise<CommandOutcome> => {
      const { value, isShared } = await endings.join(`${command.status} ${job.job_id}`, start, signal);
      return isShared && isOfSender(value) ? outcomeUntil(signal) : value;
    };
    const moment = new AbortController();
    const timer = setTimeout(() => moment.abort(), momentMs);
    try {
      return await outcomeUntil(AbortSignal.any([disconnected, moment.signal]));
    } catch (error) {
      if (error !== moment.signal.reason) throw error;
    } finally {
      clearTimeout(timer);
    }
    const { left, release } = await place();
    try {
      return await outcomeUntil(left);
    } finally {
      release();
    }
  }

  return {
    requireWorkers,
    async start(job) {
      await startUnlessRunning(workflowOptions(job));
    },
    resume,
    addCall(job, { opens_job, ...call }, startsJob) {
      const message = { ...call, ...(opens_job && { opens_job }) };
      return startsJob ? signalFirstCall(job, message) : signalJob(job, messages.llmCall, message);
    },
    async updateMetadata(job, metadata, disconnected) {
      const command_id = randomUUID();
      if (!(await signalJob(job, messages.updateMetadata, { command_id, metadata }))) return undefined;
      return waitWhileAvailable(
        availability,
        workers.isUnavailable,
        async (ending) =>
          (await queryDecision(job.job_id, command_id)) ?? decisionAfterEnd(job.job_id, command_id, ending),
        disconnected,
      );
    },
    complete(job, { status, ...command }, wait) {
      const message = { ...command, status, ...newCommand(job, { status }) };
      return end(job, { signal: messages.complete, status, message }, wait);
    },
    async submitCompletion(job, { status, ...command }) {
      const message = { ...command, status, ...newCommand(job, { status }) };
      if (!(await signalJob(job, messages.complete, message))) return undefined;
      return queryDecision(job.job_id, message.command_id);
    },
    cancel(job, { reason, auditEntry }, wait) {
      const message = { reason, ...newCommand(job, { status: 'cancelled', audit_entry: auditEntry }) };
      return end(job, { signal: messages.cancel, status: 'cancelled', message }, wait);
    },
    async repeatEnd({ job_id, status, metadata, error_message, cancel_reason, sealed_end }) {
      const job = await findOpenJob(database, job_id);
      if (!job) return false;
      const command = { command_id: randomUUID(), ...(sealed_end && { sealed_end }) };
      if (status === 'cancelled') return signalJob(job, messages.cancel, { ...command, reason: cancel_reason });
      return signalJob(job, messages.complete, { ...command, status, metadata, error_message });
    },
    async changeDeadline(jobId, cutoffAt) {
      const message = { cutoff_at: cutoffAt?.getTime() ?? null };
      // A workflow that is lost begins again with the deadline of the record.
      if (!(await send({ job_id: jobId }, messages.changeDeadline, message))) await resume(jobId);
    },
    // The call has been made and paid for, so the client waits for a restart: a worker that returns ends the job.
    result: (jobId, disconnected) =>
      waitWhileAvailable(availability, workers.isGone, (ending) => awaitEnd(jobId, ending), disconnected),
    async state(jobId) {
      if (isTemporalUnavailable() || workers.isUnavailable()) return undefined;
      return temporal.request(() => query(jobId, messages.jobState), stateTimeoutMs).catch(() => undefined);
    },
  };
}

interface EndCommand<T> {
  signal: SignalDefinition<[T]>;
  /** The end that is requested. */
  status: FinalJobStatus;
  message: T & { command_id: string };
}

/** `WorkflowExecutionStatus` of Temporal's API. */
const continuedAsNew = 6;

/** What is read from a job's workflow. */
function createJobQueries(temporal: Temporal) {
  const getHandle = (jobId: string) => temporal.client.workflow.getHandle<JobWorkflow>(workflowId.job(jobId));

  /** Queries the current run. A run that has just continued as new rejects the query, which is then sent to the next run. */
  async function query<Result, Args extends unknown[]>(
    jobId: string,
    definition: QueryDefinition<Result, Args>,
    ...args: Args
  ): Promise<Result> {
    for (;;) {
      try {
        return await getHandle(jobId).query(definition, ...args);
      } catch (error) {
        if (!(error instanceof QueryRejectedError) || error.status !== continuedAsNew) throw error;
      }
    }
  }

  /**
   * A query is processed after the signals that came before it, so the decision on a command exists by then. Null: the job has
   * ended. Throws `Unavailable` if 1,000 later commands have displaced the decision; the command itself was executed or refused.
   */
  async function queryDecision(jobId: string, commandId: string): Promise<CommandDecision | null> {
    try {
      const decision = await temporal.request(() => query(jobId, messages.commandDecision, commandId));
      if (!decision) throw new Unavailable('job');
      return decision;
    } catch (error) {
      if (error instanceof QueryRejectedError) return null;
      throw error;
    }
  }

  const awaitResult = (jobId: string, signal: AbortSignal): Promise<JobWorkflowResult> =>
    temporal.client
      .withAbortSignal(signal, () => getHandle(jobId).result())
      .catch((error: unknown) => {
        // A workflow that is lost counts as unavailable too.
        throw new Unavailable('temporal', { cause: error });
      });

  return { getHandle, query, queryDecision, awaitResult };
}
