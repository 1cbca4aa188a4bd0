import { log, patched } from '@temporalio/workflow';
import { errorLimit, fitsErrorLimit } from '../../src/domain/call-state.ts';
import { jsonProblem } from '../../src/domain/json-problem.ts';

/** Whether a signal's argument has the form of a message. */
type Form = (said: Record<string, unknown>) => boolean;

const isObject = (said: unknown): said is Record<string, unknown> =>
  typeof said === 'object' && said !== null && !Array.isArray(said);
const isText = (said: unknown): said is string => typeof said === 'string';
/** Was measured in UTF-16 units before. A replay of a run from then must not hear what that run did not. */
const isReason = (said: unknown) =>
  isText(said) &&
  (said.length <= errorLimit || (fitsErrorLimit(said) && patched('a reason is measured in characters')));
const isAbsentOr = (is: (said: unknown) => boolean, said: unknown) => said === undefined || said === null || is(said);

/** The forms of `messages.ts`. */
export const form = {
  call: ({ call_id, model_group }) => isText(call_id) && isAbsentOr(isText, model_group),
  update: ({ command_id, metadata }) => isText(command_id) && isObject(metadata),
  completion: ({ command_id, status, metadata, error_message }) =>
    isText(command_id) &&
    (status === 'completed' || status === 'failed') &&
    isAbsentOr(isObject, metadata) &&
    isAbsentOr(isReason, error_message),
  cancellation: ({ command_id, reason, audit_entry }) =>
    isText(command_id) && isAbsentOr(isReason, reason) && isAbsentOr(isText, audit_entry),
} satisfies Record<string, Form>;

/**
 * The Temporal UI can send a signal with any argument or none. An argument of the wrong form, or one that PostgreSQL could not
 * store, is ignored: throwing would fail the workflow task, keeping it would fail the statement that ends the job, and the job
 * would be stuck for good.
 */
export const parseSignal =
  <Message>(hasForm: Form, hear: (message: Message) => void) =>
  (said: unknown): void => {
    if (isObject(said) && !jsonProblem(said) && hasForm(said)) hear(said as Message);
    else log.warn('a signal could not be understood');
  };
