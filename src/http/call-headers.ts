import Big from 'big.js';
import type { Admitted } from '../calls/call-context.ts';
import type { JobBudgetView } from '../db/jobs/job-budget.ts';
import { isForbiddenField } from '../domain/extra-fields.ts';
import { isGiven } from '../domain/is-given.ts';
import type { CallObserver } from '../services/calls/make-call.ts';
import { setLimitHeaders } from './limits/limit-headers.ts';
import type { RequestContext } from './route.ts';
import { headerText, joinNames } from './validation/ignored-fields.ts';

type OfModel = Pick<Admitted, 'extraFields' | 'blockedFields'>;

/** The fields of a request that do not go upstream: unknown ones that the model does not permit, and any that it blocks. */
function fieldsNotSent(body: unknown, unknown: readonly string[], { extraFields, blockedFields }: OfModel): string[] {
  const isSent = (name: string) =>
    extraFields.includes(name) && !isForbiddenField(name) && !blockedFields.includes(name);
  const isBlocked = (name: string) => isGiven((body as Record<string, unknown>)[name]) && !unknown.includes(name);
  return [...unknown.filter((name) => !isSent(name)), ...blockedFields.filter(isBlocked)];
}

/** `unknownFields`: those of the body that the endpoint does not know, and that a model may permit. `spec 4.8` */
export function setIgnoredFields(
  { body, ignoredFields, setHeader }: Pick<RequestContext, 'body' | 'ignoredFields' | 'setHeader'>,
  unknownFields: readonly string[],
  ofModel: OfModel,
): void {
  const ignored = joinNames([...ignoredFields, ...fieldsNotSent(body, unknownFields, ofModel).map(headerText)]);
  if (ignored) setHeader('X-Ignored-Fields', ignored);
}

/** What remains of the budget of a job after the call's own reservation. `spec 23.4` */
function setBudgetHeaders(setHeader: RequestContext['setHeader'], { deadline_at, remaining }: JobBudgetView): void {
  const capped = [
    ['calls', remaining.calls],
    ['tokens', remaining.tokens],
    ['usd', remaining.cost_usd],
  ] as const;
  const parts = capped.flatMap(([unit, left]) => (left === null ? [] : [`${unit}=${Big(left).toFixed()}`]));
  if (deadline_at) setHeader('X-Job-Deadline', new Date(deadline_at).toISOString());
  if (parts.length > 0) setHeader('X-Job-Remaining', parts.join(', '));
}

/**
 * Shows a call in the headers of the answer to its request: `spec 4.8`, `spec 9.3`, `spec 23.4`. `unknownFields`: of `setIgnoredFields`.
 */
export const callHeaders = (
  { body, ignoredFields, setHeader, dropBody }: RequestContext,
  unknownFields: readonly string[] = [],
): CallObserver => ({
  onAdmitted(admitted) {
    setHeader('X-Job-Id', admitted.jobId);
    setHeader('X-Call-Id', admitted.callId);
    if (admitted.budget) setBudgetHeaders(setHeader, admitted.budget);
    setIgnoredFields({ body, ignoredFields, setHeader }, unknownFields, admitted);
  },
  onRequestStored: dropBody,
  onLimit: ({ calls }) => setLimitHeaders(setHeader, calls),
});
