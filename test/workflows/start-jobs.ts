import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure, Context, cancellationSignal } from '@temporalio/activity';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { callError } from '../../src/domain/call-state.ts';
import { workflowId } from '../../src/domain/ids.ts';
import type { JobResult } from '../../src/domain/job-state.ts';
import type { Activities } from '../../workflows/contract/activities.ts';
import {
  type JobIdentity,
  type JobInput,
  type JobWorkflow,
  newJobSnapshot,
} from '../../workflows/contract/workflows.ts';
import { startWorker } from './start-worker.ts';

/** What a scripted call does, by its id. */
type CallScript = (
  callId: string,
) => 'ok' | 'fails' | 'hangs' | 'loses its worker' | 'is retracted' | 'calls a tool' | { takesMs: number };

/** `hangs-1` hangs, `fails-2` fails, `lost-3` loses its worker, `retracted-4` is retracted, `tool-7` calls a tool, `slow-5` takes 300 ms, `slower-6` takes 1.5 s; any other call succeeds at once. */
const byName: CallScript = (callId) => {
  if (callId.startsWith('hangs')) return 'hangs';
  if (callId.startsWith('fails')) return 'fails';
  if (callId.startsWith('lost')) return 'loses its worker';
  if (callId.startsWith('retracted')) return 'is retracted';
  if (callId.startsWith('tool')) return 'calls a tool';
  if (callId.startsWith('slower')) return { takesMs: 1_500 };
  return callId.startsWith('slow') ? { takesMs: 300 } : 'ok';
};

export type JobHandle = WorkflowHandle<JobWorkflow>;

/** The workflow on a real server, with activities that log their names and inputs instead of executing them. */
export interface StartedJobs {
  client: Client;
  taskQueue: string;
  /** `callUpstream a`, `closeCall b refused`, in the order in which they ended. */
  log: string[];
  running: Set<string>;
  mostAtOnce(): number;
  /** When the job ends by the deadline in its record, in milliseconds since the epoch. */
  recordedCutoff: number | null;
  /** `queue`: of another worker, which may start later. */
  start(
    input?: Partial<JobInput> & { job?: Partial<JobIdentity>; version?: number; cutoffAt?: number },
    queue?: string,
  ): Promise<JobHandle>;
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
    'abortCalls' | 'callUpstream' | 'closeCall' | 'readCutoff' | 'recordCost' | 'saveMetadata' | 'settleJob'
  > = {
    async callUpstream({ call_id }) {
      running.add(call_id);
      most = Math.max(most, running.size);
      try {
        const outcome = script(call_id);
        const error = await perform(outcome);
        log.push(`callUpstream ${call_id}`);
        if (outcome === 'calls a tool') return { error, has_tool_calls: true };
        return outcome === 'is retracted' ? { error, retracted: true } : { error };
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
    async readCutoff() {
      const { recordedCutoff } = started;
      log.push('readCutoff');
      return recordedCutoff === null ? null : recordedCutoff - Date.now();
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
  const started: StartedJobs = {
    client,
    taskQueue,
    log,
    running,
    mostAtOnce: () => most,
    recordedCutoff: null,
    async start({ job, version = 1, cutoffAt, ...input } = {}, queue = taskQueue) {
      const identity = { ...someJob, job_id: randomUUID(), ...job };
      const state = newJobSnapshot(
        version,
        identity,
        {
          status: 'pending',
          started_at: null,
          model_groups_used: [],
          metadata: {},
          updated_at: Date.now(),
        },
        cutoffAt === undefined ? {} : { cutoff_at: cutoffAt },
      );
      return client.workflow.start<JobWorkflow>('job', {
        taskQueue: queue,
        workflowId: workflowId.job(identity.job_id),
        args: [{ state, idle_timeout_ms: 60_000, ...input }],
      });
    },
    close,
  };
  return started;
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
  if (act === 'ok' || act === 'calls a tool') return null;
  if (act === 'fails') return 'the model is unavailable';
  if (act === 'is retracted') return callError.retracted;
  if (act === 'loses its worker') throw ApplicationFailure.nonRetryable('lost');
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
  for_task: false,
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
