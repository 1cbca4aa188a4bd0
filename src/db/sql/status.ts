import { type CallStatus, callStatusesBefore, madeCallStatuses, openCallStatuses } from '../../domain/call-state.ts';
import { jobEnds, openJobStatuses } from '../../domain/job-state.ts';

// The life cycles of the domain as conditions. Statements take them from here, so that none has a list of its own.

const isOneOf = (column: string, statuses: readonly string[]): string =>
  `${column} in (${statuses.map((status) => `'${status}'`).join(', ')})`;

/** The guard of a statement that changes a call to this status. */
export const callMayBecome = (status: CallStatus, column = 'status'): string =>
  isOneOf(column, callStatusesBefore(status));

export const callIsOpen = (column = 'status'): string => isOneOf(column, openCallStatuses);

export const callWasMade = (column = 'status'): string => isOneOf(column, madeCallStatuses);

export const jobIsOpen = (column = 'status'): string => isOneOf(column, openJobStatuses);

export const jobHasEnded = (column = 'status'): string => isOneOf(column, jobEnds);
