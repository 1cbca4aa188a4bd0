import type { Admitted } from '../calls/call-context.ts';
import { isForbiddenField } from '../domain/extra-fields.ts';
import type { CallObserver } from '../services/calls/make-call.ts';
import { setLimitHeaders } from './limits/limit-headers.ts';
import type { RequestContext } from './route.ts';

/** Names of fields come from the client: so many are named, and so many characters of each and of the whole. */
const maxNames = 50;
const maxNameCharacters = 100;
const maxHeaderCharacters = 2_000;

/** Characters that a header cannot carry are percent-encoded, and so are those that separate names. */
const headerText = (name: string): string => encodeURIComponent(name.slice(0, maxNameCharacters).toWellFormed());

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The fields of a request that do not go upstream: unknown ones that the model does not permit, and any that it blocks. */
function ignoredFields(body: unknown, unknown: readonly string[], { extraFields, blockedFields }: Admitted): string {
  const isSent = (name: string) =>
    extraFields.includes(name) && !isForbiddenField(name) && !blockedFields.includes(name);
  const isBlocked = (name: string) => isGiven((body as Record<string, unknown>)[name]) && !unknown.includes(name);
  const names = [...unknown.filter((name) => !isSent(name)), ...blockedFields.filter(isBlocked)];
  return names.slice(0, maxNames).map(headerText).join(', ').slice(0, maxHeaderCharacters);
}

/**
 * Shows a call in the headers of the answer to its request: `spec 4.8`, `spec 9.3`. `unknownFields`: those of the body that the
 * endpoint does not know.
 */
export const callHeaders = (
  { body, setHeader, dropBody }: RequestContext,
  unknownFields: readonly string[] = [],
): CallObserver => ({
  onAdmitted(admitted) {
    setHeader('X-Job-Id', admitted.jobId);
    setHeader('X-Call-Id', admitted.callId);
    const ignored = ignoredFields(body, unknownFields, admitted);
    if (ignored) setHeader('X-Ignored-Fields', ignored);
  },
  onRequestStored: dropBody,
  onLimit: ({ calls }) => setLimitHeaders(setHeader, calls),
});
