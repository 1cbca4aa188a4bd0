import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { workflowId } from '../../../src/domain/ids.ts';
import type { JobEnd, JobStatus } from '../../../src/domain/job-state.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

export interface CheckerOptions {
  /** Past every fault: the checker's own way to PostgreSQL and to Temporal. */
  pool: Pick<Pool, 'query'>;
  temporal: Client;
  taskQueue: string;
  /** How long the record and Temporal may disagree on what is open after the last fault. */
  agreeWithinMs?: number;
}

/** What a client was told of a call: its answer, or that it failed. */
export type ToldOfCall = { content: string } | 'failed';

interface JobFound {
  job_id: string;
  status: JobStatus;
  /** All that an end says, in one text. */
  as_ended: string;
}

interface CallFound {
  call_id: string;
  status: string;
  response: string | null;
}

const lookEveryMs = 500;
/** Issue and design: a minute. */
const minuteMs = 60_000;

/**
 * Looks at the record while the faults are on and after them, and remembers: what clients were told, and every end of a
 * job that it ever saw. Finds what issue and design promise never to be found; each finding once.
 */
export class Checker {
  private readonly findings = new Set<string>();
  private readonly toldJobs = new Map<string, JobEnd | 'open'>();
  private readonly toldCalls = new Map<string, ToldOfCall>();
  private readonly ends = new Map<string, string>();
  private readonly options: CheckerOptions;
  private watching: Promise<void> | undefined;
  private stopped = false;
  looks = 0;

  constructor(options: CheckerOptions) {
    this.options = options;
  }

  /** A client has read this with its own eyes. */
  jobTold(jobId: string, status: JobEnd | 'open'): void {
    if (status !== 'open' || !this.toldJobs.has(jobId)) this.toldJobs.set(jobId, status);
  }

  callTold(callId: string, told: ToldOfCall): void {
    this.toldCalls.set(callId, told);
  }

  /** Something that a client saw and must not have seen. */
  report(finding: string): void {
    this.findings.add(finding);
  }

  watch(): void {
    this.stopped = false;
    this.watching = (async () => {
      while (!this.stopped) {
        await this.look(true).catch(() => undefined);
        await pause(lookEveryMs);
      }
    })();
  }

  /** All that was found, when everything that was under way has ended. */
  async conclude(): Promise<string[]> {
    this.stopped = true;
    await this.watching;
    for (const finding of await this.workflows()) this.findings.add(finding);
    await this.look(false);
    await this.lookForToldJobs();
    await this.lookForToldCalls();
    return [...this.findings];
  }

  async look(underWay: boolean): Promise<void> {
    for (const finding of await checkLedger(this.options, { underWay })) this.findings.add(finding);
    for (const { job_id, as_ended } of await this.jobs('where completed_at is not null')) {
      const before = this.ends.get(job_id) ?? as_ended;
      if (before !== as_ended) this.findings.add(`the end of job ${job_id} was ${before} and is ${as_ended}`);
      this.ends.set(job_id, before);
    }
    this.looks += 1;
  }

  private async jobs(where: string): Promise<JobFound[]> {
    const asEnded = `concat_ws(' ', status, credit_applied, total_calls, failed_calls, total_tokens, total_cost_usd, completed_at)`;
    const { rows } = await this.options.pool.query<JobFound>(
      `select job_id, status, ${asEnded} as as_ended from jobs ${where}`,
    );
    return rows;
  }

  private async lookForToldJobs(): Promise<void> {
    const found = new Map((await this.jobs('')).map((job) => [job.job_id, job.status]));
    for (const jobId of this.ends.keys()) if (!found.has(jobId)) this.findings.add(`ended job ${jobId} is gone`);
    for (const [jobId, told] of this.toldJobs) {
      const status = found.get(jobId);
      if (!status) this.findings.add(`acknowledged job ${jobId} is gone`);
      else if (told !== 'open' && told !== status)
        this.findings.add(`job ${jobId} was told to be ${told} and is ${status}`);
    }
  }

  private async lookForToldCalls(): Promise<void> {
    const { rows } = await this.options.pool.query<CallFound>(
      'select call_id, status, response from calls left join call_payloads using (call_id)',
    );
    const found = new Map(rows.map((call) => [call.call_id, call]));
    for (const [callId, told] of this.toldCalls) {
      const call = found.get(callId);
      const expected = told === 'failed' ? 'failed' : 'succeeded';
      if (!call) this.findings.add(`acknowledged call ${callId} is gone`);
      else if (call.status !== expected)
        this.findings.add(`call ${callId} was told to have ${expected} and is ${call.status}`);
      else if (told !== 'failed' && told.content !== contentOf(call))
        this.findings.add(`the answer told of call ${callId} is not the recorded one`);
    }
  }

  /** Where the record and Temporal do not agree on what is open, a minute after. */
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
        last = await disagreements().catch((error: Error) => [`Temporal was not asked: ${error.message}`]);
        return last.length;
      },
      (count) => count === 0,
      agreeWithinMs,
    ).catch(() => undefined);
    return last;
  }
}

const isOpen = (status: JobStatus) => status === 'pending' || status === 'in_progress';

const contentOf = ({ response }: CallFound): string => JSON.parse(response ?? '{}').content ?? '';
