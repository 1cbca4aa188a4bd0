import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure, Context, cancellationSignal } from '@temporalio/activity';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.ts';
import { workflowId } from '../../src/domain/ids.ts';
import type { JobResult } from '../../src/domain/job-state.ts';
import type { job as jobWorkflow } from '../../workflows/job/job.ts';
import type { JobInput } from '../../workflows/job/job-run.ts';
import { type JobIdentity, newJobState } from '../../workflows/job/job-state.ts';
import { startWorker } from './start-worker.ts';

/** What a scripted call does; the id says which. */
type CallScript = (callId: string) => 'ok' | 'fails' | 'hangs' | 'is lost' | { takesMs: number };

/** `hangs-1` hangs, `fails-2` fails, `slow-3` takes a moment, `slower-4` some more; any other call succeeds at once. */
const byName: CallScript = (callId) => {
  if (callId.startsWith('hangs')) return 'hangs';
  if (callId.startsWith('fails')) return 'fails';
  if (callId.startsWith('lost')) return 'is lost';
  if (callId.startsWith('slower')) return { takesMs: 1_500 };
  return callId.startsWith('slow') ? { takesMs: 300 } : 'ok';
};

export type JobHandle = WorkflowHandle<typeof jobWorkflow>;

/** The workflow on a real server, with activities that note what they were asked for instead of doing it. */
export interface StartedJobs {
  client: Client;
  /** `callUpstream a`, `closeCall b refused`, in the order in which they ended. */
  log: string[];
  running: Set<string>;
  mostAtOnce(): number;
  /** `queue`: of another worker, which may be there only later. */
  start(input?: Partial<JobInput> & { job?: Partial<JobIdentity> }, queue?: string): Promise<JobHandle>;
  close(): Promise<void>;
}

export const someQueue = () => `workflows-${randomUUID()}`;

/** `recordsTakeMs`: how long it takes to settle a job, and to close a call. */
export async function startJobs({
  script = byName,
  taskQueue = someQueue(),
  recordsTakeMs = 0,
} = {}): Promise<StartedJobs> {
  const log: string[] = [];
  const running = new Set<string>();
  let most = 0;
  const activities: Pick<
    Activities,
    'abortCalls' | 'callUpstream' | 'closeCall' | 'recordCost' | 'saveMetadata' | 'settleJob'
  > = {
    async callUpstream({ call_id }) {
      running.add(call_id);
      most = Math.max(most, running.size);
      try {
        const error = await perform(script(call_id));
        log.push(`callUpstream ${call_id}`);
        return { error };
      } finally {
        running.delete(call_id);
      }
    },
    async closeCall({ call_id, status, error }) {
      await pause(recordsTakeMs);
      log.push(`closeCall ${call_id} ${status}: ${error}`);
    },
    async abortCalls() {
      log.push('abortCalls');
    },
    async recordCost() {
      log.push('recordCost');
    },
    async saveMetadata({ metadata }) {
      log.push(`saveMetadata ${JSON.stringify(metadata)}`);
    },
    async settleJob({ status, error_message }): Promise<JobResult> {
      running.add('settleJob');
      await pause(recordsTakeMs);
      running.delete('settleJob');
      log.push(`settleJob ${status}${error_message === null ? '' : `: ${error_message}`}`);
      return { ...emptyResult, status };
    },
  };
  const { client, close } = await startWorker(taskQueue, activities);
  return {
    client,
    log,
    running,
    mostAtOnce: () => most,
    async start({ job, ...input } = {}, queue = taskQueue) {
      const facts = { ...someJob, job_id: randomUUID(), ...job };
      const state = newJobState(facts, {
        status: 'pending',
        started_at: null,
        model_groups_used: [],
        metadata: {},
        updated_at: Date.now(),
      });
      return client.workflow.start<typeof jobWorkflow>('job', {
        taskQueue: queue,
        workflowId: workflowId.job(facts.job_id),
        args: [{ state, idle_timeout_ms: 60_000, ...input }],
      });
    },
    close,
  };
}

/** Started before each of a file's tests and closed after it. */
export function jobsForTests(script?: CallScript): { readonly current: StartedJobs } {
  let current: StartedJobs;
  beforeEach(async () => {
    current = await startJobs({ script });
  });
  afterEach(() => current.close());
  return {
    get current() {
      return current;
    },
  };
}

async function perform(act: ReturnType<CallScript>): Promise<string | null> {
  if (act === 'ok') return null;
  if (act === 'fails') return 'the model is away';
  if (act === 'is lost') throw ApplicationFailure.nonRetryable('lost');
  const { heartbeat } = Context.current();
  const beating = setInterval(() => heartbeat(), 50);
  const signal = cancellationSignal();
  try {
    await pause(act === 'hangs' ? 600_000 : act.takesMs, undefined, { signal });
    return null;
  } catch {
    return 'cancelled';
  } finally {
    clearInterval(beating);
  }
}

const someJob: Omit<JobIdentity, 'job_id'> = {
  team_id: 'team-1',
  organization_id: 'org-1',
  job_type: 'report',
  single_call: false,
};

const emptyResult: Omit<JobResult, 'status'> = {
  completed_at: '2026-01-01T00:00:00.000Z',
  credit_applied: true,
  credits_remaining: 4,
  total_calls: 0,
  failed_calls: 0,
  total_tokens: 0,
  total_cost_usd: '0',
  total_latency_ms: 0,
};
