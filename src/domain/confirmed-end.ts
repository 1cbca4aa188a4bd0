import {
  type FinalJobStatus,
  type JobEnder,
  jobDeadlineExceeded,
  jobEndedInTemporal,
  jobTimedOut,
} from './job-state.ts';

/** How a job ends, and whose doing it is. */
export interface EndOfJob {
  status: FinalJobStatus;
  ended_by: JobEnder | null;
  error_message: string | null;
  /** The JSON for the audit log. */
  audit_entry?: string | undefined;
}

/** What an api has sealed: `src/auth/sealed-end.ts`. */
export type CommandedEnd = Pick<EndOfJob, 'status' | 'audit_entry'>;

/** What the record knows of a job that nobody commanded to end. */
export interface EndInRecord {
  /** A call of the job has succeeded that ends it. */
  ended_by_call: boolean;
  for_task: boolean;
  /** No call or update for the idle time of a job of a task. */
  is_idle: boolean;
  /** No call of the job for as long as its turn takes to end; null: it has no turn. */
  is_turn_over: boolean | null;
  /** The call that ended last succeeded, and its answer has no tool calls. */
  is_answered: boolean;
  /** A call runs, or waits to run. */
  has_open_calls: boolean;
  /** The deadline of the job is over, with the grace after it. */
  is_past_cutoff: boolean;
}

/** Whether only the record can confirm the end: nobody has commanded it, and it may be charged or is said to be by the deadline. */
export const needsRecord = (
  { status, ended_by }: Pick<EndOfJob, 'status' | 'ended_by'>,
  commanded: CommandedEnd | undefined,
): boolean => commanded?.status !== status && (status === 'completed' || ended_by === 'deadline');

const byOperator = { ended_by: 'operator' } as const;
const endedInTemporal = { ...byOperator, status: 'failed', error_message: jobEndedInTemporal } as const;

/**
 * The end for which the workflow of a job asks, as far as it is confirmed: by the command of a client or an admin, or for a
 * completion without a command and an end by the deadline by the record. Whoever reaches Temporal can make workflows and activities ask for any end: what is
 * not confirmed is neither charged nor audited. Null: the job has to be idle, or its turn without a call, for longer. `spec 3.19`
 */
export function confirmedEnd(
  asked: EndOfJob,
  commanded: CommandedEnd | undefined,
  record?: EndInRecord,
): EndOfJob | null {
  const { status, ended_by, error_message } = asked;
  if (commanded?.status === status) {
    const { audit_entry } = commanded;
    return { status, error_message, ...(audit_entry ? { ended_by: 'admin', audit_entry } : { ended_by: 'client' }) };
  }
  if (status === 'completed') return record ? completedByRecord(asked, record) : endedInTemporal;
  if (status === 'failed' && ended_by === 'deadline' && record?.is_past_cutoff)
    return { status, ended_by, error_message: jobDeadlineExceeded };
  const isUnconfirmed = ended_by === 'client' || ended_by === 'admin' || ended_by === 'deadline';
  if (isUnconfirmed) return status === 'failed' ? endedInTemporal : { status, error_message, ...byOperator };
  return { status, ended_by, error_message };
}

/** A call that the workflow has lost, such as by a reset by an operator, stays open. */
function completedByRecord({ ended_by }: EndOfJob, record: EndInRecord): EndOfJob | null {
  const { ended_by_call, for_task, is_idle, is_turn_over, is_answered, has_open_calls } = record;
  const completed = { status: 'completed', error_message: null } as const;
  if (ended_by === 'call' && ended_by_call && !has_open_calls) return { ...completed, ended_by };
  const isOver = ended_by === 'call' ? is_turn_over : ended_by === 'idle' && for_task ? is_idle : null;
  if (isOver === null) return endedInTemporal;
  if (!isOver) return null;
  if (has_open_calls) return endedInTemporal;
  // Two calls that ended at once: the record may have their ends in another order than the workflow.
  return is_answered ? { ...completed, ended_by } : { status: 'failed', ended_by: 'idle', error_message: jobTimedOut };
}
