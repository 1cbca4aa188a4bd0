import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { workflowId } from '../../../src/domain/ids.ts';
import type { FinalJobStatus, JobStatus } from '../../../src/domain/job-state.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

export interface CheckerOptions {
  /** The checker's own connections to PostgreSQL and Temporal, which no fault interrupts. */
  pool: Pick<Pool, 'query'>;
  temporal: Client;
  taskQueue: string;
  /** How long after the last fault the records and Temporal may disagree on which jobs are open. */
  agreeWithinMs?: number;
}

/** What a client has received about a call: its answer, or that it failed. */
export type AcknowledgedCall = { content: string } | 'failed';

interface JobRow {
  job_id: string;
  status: JobStatus;
  /** All columns of an end, as one text. */
  as_ended: string;
}

interface CallRow {
  call_id: string;
  status: string;
  response: string | null;
}

const intervalMs = 500;
const minuteMs = 60_000;

/**
 * Reads the records during the faults and after them. It stores the answers that clients have received and every end of a job that
 * it has read, and reports each violation of what `docs/reliability.md` promises, once.
 */
export class Checker {
  private readonly findings = new Set<string>();
  private readonly acknowledgedJobs = new Map<string, FinalJobStatus | 'open'>();
  private readonly acknowledgedCalls = new Map<string, AcknowledgedCall>();
  private readonly ends = new Map<string, string>();
  private readonly options: CheckerOptions;
  private watching: Promise<void> | undefined;
  private stopped = false;
  checks = 0;

  constructor(options: CheckerOptions) {
    this.options = options;
  }

  /** A client has received this status of a job. */
  acknowledgeJob(jobId: string, status: FinalJobStatus | 'open'): void {
    if (status !== 'open' || !this.acknowledgedJobs.has(jobId)) this.acknowledgedJobs.set(jobId, status);
  }

  acknowledgeCall(callId: string, answer: AcknowledgedCall): void {
    this.acknowledgedCalls.set(callId, answer);
  }

  /** A violation that a client has seen. */
  report(finding: string): void {
    this.findings.add(finding);
  }

  watch(): void {
    this.stopped = false;
    this.watching = (async () => {
      while (!this.stopped) {
        await this.check(true).catch(() => undefined);
        await pause(intervalMs);
      }
    })();
  }

  /** All violations. Waits until the workflows of ended jobs have ended. */
  async conclude(): Promise<string[]> {
    this.stopped = true;
    await this.watching;
    for (const finding of await this.workflows()) this.findings.add(finding);
    await this.check(false);
    await this.checkAcknowledgedJobs();
    await this.checkAcknowledgedCalls();
    return [...this.findings];
  }

  async check(inFlight: boolean): Promise<void> {
    for (const finding of await checkLedger(this.options, { inFlight })) this.findings.add(finding);
    for (const { job_id, as_ended } of await this.jobs('where completed_at is not null')) {
      const before = this.ends.get(job_id) ?? as_ended;
      if (before !== as_ended) this.findings.add(`the end of job ${job_id} was ${before} and is ${as_ended}`);
      this.ends.set(job_id, before);
    }
    this.checks += 1;
  }

  private async jobs(where: string): Promise<JobRow[]> {
    const asEnded = `concat_ws(' ', status, credit_applied, total_calls, failed_calls, total_tokens, total_cost_usd, completed_at)`;
    const { rows } = await this.options.pool.query<JobRow>(
      `select job_id, status, ${asEnded} as as_ended from jobs ${where}`,
    );
    return rows;
  }

  private async checkAcknowledgedJobs(): Promise<void> {
    const found = new Map((await this.jobs('')).map((job) => [job.job_id, job.status]));
    for (const jobId of this.ends.keys()) if (!found.has(jobId)) this.findings.add(`ended job ${jobId} is gone`);
    for (const [jobId, acknowledged] of this.acknowledgedJobs) {
      const status = found.get(jobId);
      if (!status) this.findings.add(`acknowledged job ${jobId} is gone`);
      else if (acknowledged !== 'open' && acknowledged !== status)
        this.findings.add(`job ${jobId} was acknowledged as ${acknowledged} and is ${status}`);
    }
  }

  private async checkAcknowledgedCalls(): Promise<void> {
    const { rows } = await this.options.pool.query<CallRow>(
      'select call_id, status, response from calls left join call_payloads using (call_id)',
    );
    const found = new Map(rows.map((call) => [call.call_id, call]));
    for (const [callId, acknowledged] of this.acknowledgedCalls) {
      const call = found.get(callId);
      const expected = acknowledged === 'failed' ? 'failed' : 'succeeded';
      if (!call) this.findings.add(`acknowledged call ${callId} is gone`);
      else if (call.status !== expected)
        this.findings.add(`call ${callId} was acknowledged as ${expected} and is ${call.status}`);
      else if (acknowledged !== 'failed' && acknowledged.content !== contentOf(call))
        this.findings.add(`the acknowledged answer of call ${callId} is not the recorded one`);
    }
  }

  /** The jobs of which the records and Temporal still disagree whether they are open after `agreeWithinMs`. */
  private async workflows(): Promise<string[]> {
    const { temporal, taskQueue, agreeWithinMs = minuteMs } = this.options;
    const disagreements = async () => {
      const query = `TaskQueue = '${taskQueue}' and WorkflowType = 'job' and ExecutionStatus = 'Running'`;
      const running = new Set<string>();
      for await (const one of temporal.workflow.list({ query })) running.add(one.workflowId);
      const jobs = await this.jobs('');
      const open = new Set(jobs.filter(({ status }) => isOpen(status)).map(({ job_id }) => workflowId.job(job_id)));
      return [
        ...[...running].filter((id) => !open.has(id)).map((id) => `${id} runs and its job has ended`),
        ...[...open].filter((id) => !running.has(id)).map((id) => `${id} does not run and its job is open`),
      ];
    };
    let last: string[] = [];
    await until(
      async () => {
        last = await disagreements().catch((error: Error) => [`Temporal did not answer: ${error.message}`]);
        return last.length;
      },
      (count) => count === 0,
      agreeWithinMs,
    ).catch(() => undefined);
    return last;
  }
}

const isOpen = (status: JobStatus) => status === 'pending' || status === 'in_progress';

const contentOf = ({ response }: CallRow): string => JSON.parse(response ?? '{}').content ?? '';
