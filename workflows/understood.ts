import { log } from '@temporalio/workflow';
import { errorLimit } from '../src/domain/calls.ts';
import { jsonProblem } from '../src/domain/json-problem.ts';

/** Whether something that was said has the form of a message. */
type Form = (said: Record<string, unknown>) => boolean;

const isObject = (said: unknown): said is Record<string, unknown> =>
  typeof said === 'object' && said !== null && !Array.isArray(said);
const isText = (said: unknown): said is string => typeof said === 'string';
const isReason = (said: unknown) => isText(said) && said.length <= errorLimit;
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
 * Whoever uses the Temporal UI can send a signal with anything in it or nothing. What is not of its form, or could not be recorded, is
 * not heard: thrown, it would fail the workflow's task, kept, the statement that ends the job, and the job would stand still for good.
 */
export const understood =
  <Message>(hasForm: Form, hear: (message: Message) => void) =>
  (said: unknown): void => {
    if (isObject(said) && !jsonProblem(said) && hasForm(said)) hear(said as Message);
    else log.warn('a signal could not be understood');
  };
