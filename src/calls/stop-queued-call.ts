import { refuseLateCall } from '../db/calls/close-call.ts';
import { type FinishedCall, type FinishedRow, finishCall } from '../db/calls/finish-call.ts';
import { type CallToExecute, startCall } from '../db/calls/start-call.ts';
import { queriesIn } from '../db/connection/execute-in.ts';
import { lockOpenJob } from '../db/jobs/lock-open-job.ts';
import type { CallResult } from '../domain/call-result.ts';
import { stopped } from '../domain/finish-reason.ts';
import { noTokens } from '../domain/pricing.ts';
import { countCall } from '../metrics/metrics.ts';
import type { CallDeps } from './ports.ts';
import { finishWithJob, publishSettled, type SettledJob } from './settle.ts';

type StopDeps = Pick<CallDeps, 'config' | 'database' | 'callEvents' | 'changes' | 'deliveries' | 'metrics'>;

interface QueuedCall {
  call_id: string;
  job_id: string;
  streamed: boolean;
}

/** The only attempt: an empty answer, and no request to a model. */
const workerAttempt = 1;

const unanswered = ({ call_id, asynchronous }: Pick<CallToExecute, 'call_id' | 'asynchronous'>): FinishedCall => ({
  call_id,
  asynchronous,
  worker_attempt: workerAttempt,
  status: 'succeeded',
  model_used: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cached_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  cost_usd: '0',
  estimated_cost_usd: '0',
  latency_ms: 0,
  finish_reason: stopped,
  has_tool_calls: false,
  error: null,
  failure: null,
  attempts: [],
  tokens_unknown: false,
  cost_unknown: false,
  response: null,
  kept_request: null,
  kept_options: null,
});

/** Rolls the transaction back. */
class JobHasEnded extends Error {}

/**
 * Ends a call that no worker has started, as a worker would that starts it and ends it at once: so who waits for it need not wait for a
 * worker. The workflow of its job finds it ended. Does nothing where a worker has started it meanwhile.
 */
export async function stopQueuedCall(deps: StopDeps, call: QueuedCall): Promise<void> {
  const { call_id, job_id } = call;
  try {
    const ended = await endUnanswered(deps, call_id);
    if (ended) await publishEnd(deps, call, ended);
  } catch (error) {
    if (!(error instanceof JobHasEnded)) throw error;
    await refuseLateCall(deps.database, job_id, call_id);
  }
}

interface EndedCall extends FinishedRow {
  started: CallToExecute;
  /** Undefined: it does not end with the call. */
  job?: SettledJob | undefined;
}

/** In one transaction, which the end of the job waits for: its sums do not change afterwards. */
const endUnanswered = ({ database, config }: StopDeps, callId: string): Promise<EndedCall | undefined> =>
  database.transaction(async (entities) => {
    const queries = queriesIn(entities);
    const started = await startCall(queries, callId, { workerAttempt, startsJob: true, jobStartedAt: new Date() });
    if (!started?.is_started) return undefined;
    if (!(await lockOpenJob(queries, started.job_id))) throw new JobHasEnded();
    const { job_id, ends_job } = started;
    const recorded = ends_job
      ? await finishWithJob({ config, database: queries }, unanswered(started), {
          job_id,
          billing: ends_job,
          isUnshown: true,
        })
      : await finishCall(queries, unanswered(started));
    return recorded && { started, ...recorded };
  });

async function publishEnd(
  deps: StopDeps,
  call: QueuedCall,
  { started, job: settled, call_delivery_ids }: EndedCall,
): Promise<void> {
  const { call_id, streamed } = call;
  const { job_id, team_id } = started;
  deps.deliveries.start(team_id, [...started.delivery_ids, ...call_delivery_ids]);
  countCall(deps.metrics, unanswered(started), started);
  const job = settled && publishSettled(deps, job_id, settled);
  deps.changes.publish('calls', { call_id, job_id, team_id, status: 'succeeded' });
  if (!job) deps.changes.publish('jobs', { job_id, team_id, status: 'in_progress' });
  const message = { content: '' };
  const end: CallResult = { status: 'succeeded', finishReason: stopped, usage: noTokens, latencyMs: 0, message };
  // Without Redis the end is read from the record.
  await deps.callEvents
    .publish(
      { callId: call_id, attempt: workerAttempt, seq: 0, type: 'end', end: { ...end, ...(job && { job }) } },
      streamed,
    )
    .catch(() => undefined);
}
