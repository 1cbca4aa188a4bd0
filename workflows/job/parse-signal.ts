import { log } from '@temporalio/workflow';
import { fitsErrorLimit } from '../../src/domain/call-state.ts';
import { jsonProblem } from '../../src/domain/formats/json-problem.ts';
import { isTurnSeconds, jobEnds } from '../../src/domain/job-end.ts';

/** Whether a signal's argument has the form of its message. */
type Form = (message: Record<string, unknown>) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isJobEnd = (value: unknown) => jobEnds.some((end) => end === value);
const isReason = (value: unknown) => isText(value) && fitsErrorLimit(value);
const isAbsentOr = (is: (value: unknown) => boolean, value: unknown) =>
  value === undefined || value === null || is(value);

/** The forms of the signals in `workflows/contract/messages.ts`. */
export const form = {
  call: ({ call_id, model_group, purpose, end_job, turn_seconds }) =>
    isText(call_id) &&
    isAbsentOr(isText, model_group) &&
    isAbsentOr(isText, purpose) &&
    isAbsentOr(isJobEnd, end_job) &&
    isAbsentOr(isTurnSeconds, turn_seconds),
  update: ({ command_id, metadata }) => isText(command_id) && isObject(metadata),
  completion: ({ command_id, status, metadata, error_message, sealed_end }) =>
    isText(command_id) &&
    (status === 'completed' || status === 'failed') &&
    isAbsentOr(isObject, metadata) &&
    isAbsentOr(isReason, error_message) &&
    isAbsentOr(isText, sealed_end),
  cancellation: ({ command_id, reason, sealed_end }) =>
    isText(command_id) && isAbsentOr(isReason, reason) && isAbsentOr(isText, sealed_end),
  deadline: ({ cutoff_at }) => cutoff_at === null || (typeof cutoff_at === 'number' && Number.isSafeInteger(cutoff_at)),
} satisfies Record<string, Form>;

/**
 * The Temporal UI can send a signal with any argument or none. An argument of the wrong form, or one that PostgreSQL could not
 * store, is ignored: throwing would fail the workflow task, storing it would fail the statement that ends the job, and the job
 * would never end.
 */
export const parseSignal =
  <Message>(hasForm: Form, handle: (message: Message) => void) =>
  (argument: unknown): void => {
    if (isObject(argument) && !jsonProblem(argument) && hasForm(argument)) handle(argument as Message);
    else log.warn('job: malformed signal ignored');
  };
