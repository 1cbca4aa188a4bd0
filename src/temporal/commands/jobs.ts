import { randomUUID } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { type SignalDefinition, WorkflowIdReusePolicy } from '@temporalio/common';
import * as messages from '../../../workflows/contract/messages.ts';
import type { Refused } from '../../../workflows/job/decisions.ts';
import type { JobCall, JobView, Verdict } from '../../../workflows/job/job-state.ts';
import type { Database } from '../../db/connection/database.ts';
import { deferSettlement } from '../../db/jobs/defer-settlement.ts';
import { findJob } from '../../db/jobs/find-job.ts';
import type { JobStartRow } from '../../db/jobs/job-start-row.ts';
import { workflowId } from '../../domain/ids.ts';
import type { JobResult } from '../../domain/job-state.ts';
import type { Metadata } from '../../domain/metadata.ts';
import { Unavailable } from '../../errors.ts';
import { type Liveness, waitWhileAlive } from '../../liveness/wait-while-available.ts';
import type { SignalNotices } from '../../redis/completion-batching.ts';
import type { Temporal } from '../connection/client.ts';
import { createJobQueries } from './job-queries.ts';
import { jobWorkflow } from './job-workflow.ts';

/** The outcome of a command: the job's end, or a refusal; undefined when the workflow had ended before the command came. */
export type Ended = { result: JobResult } | { refused: Refused } | undefined;

/** The commands on a job. Each is a signal, and starts the workflow of a job whose start was lost. They throw `Unavailable`. */
export interface Jobs {
  /** Throws `Unavailable` while Temporal or every worker is away: called before anything is written. */
  requireWorkers(): void;
  start(job: JobStartRow): Promise<void>;
  /** A call that opens its job starts the workflow too. False: the job has ended and takes no call. */
  call(job: JobStartRow, call: JobCall): Promise<boolean>;
  updateMetadata(job: JobStartRow, metadata: Metadata): Promise<Verdict | undefined>;
  complete(job: JobStartRow, command: Omit<messages.CompleteSignal, 'command_id'>): Promise<Ended>;
  /** `auditEntry`: for `audit`, when an admin cancels; written with the end, if this command ends the job. */
  cancel(job: JobStartRow, reason: string | null, auditEntry?: string): Promise<Ended>;
  /** Waits for the end of a job. */
  result(jobId: string): Promise<JobResult>;
  /** What the workflow of an open job knows; undefined if it does not answer soon enough. */
  state(jobId: string): Promise<JobView | undefined>;
}

/** `docs/architecture.md`, "Reading": after this the record answers. */
const stateWithinMs = 1_000;

export interface JobsDeps {
  temporal: Temporal;
  database: Database;
  signalNotices: SignalNotices;
}

export function createJobs(
  { temporal, database, signalNotices }: JobsDeps,
  liveness: Liveness,
  idleTimeoutMs: number,
): Jobs {
  const optionsOf = (facts: JobStartRow) => jobWorkflow(facts, temporal.taskQueue, idleTimeoutMs);
  const { handleOf, query, verdictOn, resultOf } = createJobQueries(temporal);
  const whileAlive = waitWhileAlive(liveness);
  const { server, workers } = liveness;

  function requireWorkers(): void {
    if (server.away()) throw new Unavailable('temporal');
    if (workers.away()) throw new Unavailable('worker');
  }

  /**
   * A workflow completes after its job's end was recorded. So a job that is open all the same was restored from before that
   * end, and goes on in a new run. One that was terminated is left to maintenance.
   */
  async function isRestored({ job_id }: JobStartRow): Promise<boolean> {
    const { status } = await temporal.ask(() => handleOf(job_id).describe());
    if (status.name !== 'COMPLETED') return false;
    const job = await findJob(database, job_id);
    return job?.status === 'pending' || job?.status === 'in_progress';
  }

  /** False: the job has ended. */
  async function sendWithStart<T>(facts: JobStartRow, signal: SignalDefinition<[T]>, message: T): Promise<boolean> {
    const options = { ...optionsOf(facts), signal, signalArgs: [message] as [T] };
    const again = { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE };
    try {
      await temporal.ask((client) => client.workflow.signalWithStart('job', options));
    } catch (error) {
      const isOver = error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
      if (!isOver) throw error;
      if (!(await isRestored(facts))) return false;
      await temporal.ask((client) => client.workflow.signalWithStart('job', again));
    }
    return true;
  }

  /** False: the job has ended. First a plain signal: half the work of one that may start the workflow. */
  async function send<T>(
    facts: JobStartRow,
    signal: SignalDefinition<[T]>,
    message: T,
    awaitsEnd = false,
  ): Promise<boolean> {
    requireWorkers();
    if (facts.single_call && !(await deferSettlement(database, facts.job_id))) return false;
    signalNotices.notify(workflowId.job(facts.job_id), awaitsEnd);
    try {
      await temporal.ask(() => handleOf(facts.job_id).signal(signal, message));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return sendWithStart(facts, signal, message);
      throw error;
    }
  }

  /** The verdict on an update whose job ended before the verdict was asked for: what it made, or what is in the record since. */
  async function acceptedBeforeEnd(
    jobId: string,
    commandId: string,
    givenUp: AbortSignal,
  ): Promise<Verdict | undefined> {
    const { accepted, made } = await resultOf(jobId, givenUp);
    const own = made?.[commandId];
    if (own) return { accepted: true, ...own };
    const job = accepted?.includes(commandId) ? await findJob(database, jobId) : undefined;
    return job && { accepted: true, metadata: job.metadata, updated_at: job.updated_at.getTime() };
  }

  async function end<T>(
    facts: JobStartRow,
    signal: SignalDefinition<[T]>,
    message: T & { command_id: string },
  ): Promise<Ended> {
    if (!(await send(facts, signal, message, true))) return undefined;
    return whileAlive((givenUp) => {
      const ended = resultOf(facts.job_id, givenUp);
      const refused = verdictOn(facts.job_id, message.command_id).then(async (verdict) => {
        if (verdict && !verdict.accepted) return { refused: verdict };
        return { result: await ended };
      });
      // The verdict matters only when it is a refusal: an end that comes first is the answer.
      return Promise.any([ended.then((reached) => ({ result: reached })), refused]).catch((failed: AggregateError) => {
        throw failed.errors[0];
      });
    }, workers.away);
  }

  return {
    requireWorkers,
    async start(facts) {
      await temporal
        .ask((client) => client.workflow.start('job', optionsOf(facts)))
        .catch((error: unknown) => {
          // The workflow has run and ended already: this is a late repetition.
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        });
    },
    async call(facts, { opens_job, ...call }) {
      if (!opens_job) return send(facts, messages.llmCall, call);
      requireWorkers();
      return sendWithStart(facts, messages.llmCall, { ...call, opens_job });
    },
    async updateMetadata(facts, metadata) {
      const command_id = randomUUID();
      if (!(await send(facts, messages.updateMetadata, { command_id, metadata }))) return undefined;
      return whileAlive(
        async (givenUp) =>
          (await verdictOn(facts.job_id, command_id)) ?? acceptedBeforeEnd(facts.job_id, command_id, givenUp),
        workers.away,
      );
    },
    complete: (facts, command) => end(facts, messages.complete, { ...command, command_id: randomUUID() }),
    cancel: (facts, reason, audit_entry) =>
      end(facts, messages.cancel, { reason, command_id: randomUUID(), ...(audit_entry && { audit_entry }) }),
    // The call is made: a worker that comes back ends the job, and the client learns what it paid for.
    result: (jobId) => whileAlive((givenUp) => resultOf(jobId, givenUp), workers.gone),
    async state(jobId) {
      if (server.away() || workers.away()) return undefined;
      return temporal.ask(() => query(jobId, messages.jobState), stateWithinMs).catch(() => undefined);
    },
  };
}
