import type { FinalJobStatus, JobResult } from './job-state.ts';

/** How the record has what a workflow is for. `ending`: its end is some seconds old, and the workflow is about to end too. */
export type RecordedState = 'open' | 'ending' | 'ended' | 'absent';

/**
 * How a workflow of Temporal and the record differ. `unrecorded`: a job's runs, and the record has nothing of it. `recorded_as_ended`: it runs,
 * and the record has its end. `recorded_as_open`: it has ended, and the record does not have its end. `lost`: a job has ended with its
 * workflow, and the record has nothing of it: only an operator can decide what becomes of its charge.
 */
export type Disagreement = 'unrecorded' | 'recorded_as_ended' | 'recorded_as_open' | 'lost';

export interface ComparedWorkflow {
  kind: 'job' | 'delivery';
  /** `completed`: it came to its own end. `terminated`: it ended in another way. */
  state: 'running' | 'completed' | 'terminated';
}

export function disagreementOf({ kind, state }: ComparedWorkflow, recorded: RecordedState): Disagreement | undefined {
  if (state === 'running') {
    // A delivery whose webhook was deleted ends at its next attempt, and sends nothing.
    if (recorded === 'absent') return kind === 'job' ? 'unrecorded' : undefined;
    return recorded === 'ended' ? 'recorded_as_ended' : undefined;
  }
  if (recorded === 'open') return 'recorded_as_open';
  // A delivery has no value without its job, and a job without a record whose workflow was terminated has been ended by somebody.
  return recorded === 'absent' && kind === 'job' && state === 'completed' ? 'lost' : undefined;
}

/** The end that Temporal has of a job. */
export interface EndInTemporal {
  status: FinalJobStatus;
  completed_at: string;
  total_calls: number;
  total_cost_usd: string;
  credits_charged: number;
}

/** A job without terms of its own is charged a credit. */
export const endInTemporal = (result: JobResult): EndInTemporal => ({
  status: result.status,
  completed_at: result.completed_at,
  total_calls: result.total_calls,
  total_cost_usd: result.total_cost_usd,
  credits_charged: result.credit_applied ? (result.terms?.credits_charged ?? 1) : 0,
});

/**
 * Whether this is the end of a job that never was: its creation was refused with 503, and it was deleted. Its workflow ends as failed
 * without a call (`activities/jobs/settle-job.ts`), as does a job that failed before its first call, whose loss costs nobody anything.
 */
export const isOfRetractedJob = ({ status, total_calls }: EndInTemporal): boolean =>
  status === 'failed' && total_calls === 0;
