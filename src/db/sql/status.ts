import {
  type CallStatus,
  callStatuses,
  callStatusesBefore,
  madeCallStatuses,
  openCallStatuses,
} from '../../domain/call-state.ts';
import { stopped } from '../../domain/finish-reason.ts';
import { finalJobStatuses, openJobStatuses } from '../../domain/job-state.ts';

// The life cycles of the domain as conditions. Statements take them from here, so that none has a list of its own.

export const isOneOf = (column: string, statuses: readonly string[]): string =>
  `${column} in (${statuses.map((status) => `'${status}'`).join(', ')})`;

/** The guard of every statement that sets the status of a call: the life cycle permits each of these statuses after the present one. */
export const callMayBecome = (next: readonly CallStatus[], column = 'status'): string =>
  isOneOf(
    column,
    callStatuses.filter((status) => next.every((later) => callStatusesBefore(later).includes(status))),
  );

/**
 * The guard of what an attempt of a worker writes: the call is open, and no later attempt has started it. With it go the columns
 * that a start sets: one that was lost in a crash of PostgreSQL left the call queued, and this repairs it.
 */
export const writableByAttempt = `${callMayBecome(['running', 'succeeded', 'failed'])} and worker_attempt <= :worker_attempt`;
export const repairLostStart = 'worker_attempt = :worker_attempt, started_at = coalesce(started_at, now())';

export const callIsOpen = (column = 'status'): string => isOneOf(column, openCallStatuses);

export const callWasMade = (column = 'status'): string => isOneOf(column, madeCallStatuses);

/** A client has stopped the call before a token of its answer was shown. `spec 26.11` */
export const isStoppedUnshown = (call: string): string =>
  `(${call}.finish_reason is not distinct from '${stopped}' and ${call}.first_token_at is null)`;

export const jobIsOpen = (column = 'status'): string => isOneOf(column, openJobStatuses);

export const jobHasEnded = (column = 'status'): string => isOneOf(column, finalJobStatuses);
