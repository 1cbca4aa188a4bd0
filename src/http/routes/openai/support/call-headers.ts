import type { CallContext } from '../../../../calls/call-context.ts';
import { isForbiddenField } from '../../../../domain/extra-fields.ts';
import { teamLimitHeaders } from '../../../limits/limit-headers.ts';
import type { RequestContext } from '../../../route.ts';
import { callContext } from '../../calls/support/call-request.ts';

/** Names of fields come from the client: so many are named, and so many characters of each and of the whole. */
const maxNames = 50;
const maxNameCharacters = 100;
const maxHeaderCharacters = 2_000;

/** Characters that a header cannot carry are percent-encoded, and so are those that separate names. */
const headerText = (name: string): string => encodeURIComponent(name.slice(0, maxNameCharacters).toWellFormed());

function ignoredFields(unknown: readonly string[], sent: readonly string[]): string | undefined {
  const ignored = unknown.filter((name) => !sent.includes(name) || isForbiddenField(name));
  const text = ignored.slice(0, maxNames).map(headerText).join(', ');
  return text ? text.slice(0, maxHeaderCharacters) : undefined;
}

/** The headers of an answer, beside those of every call. */
export const chatHeaders: readonly string[] = [
  'X-Ignored-Fields',
  ...['requests', 'tokens'].flatMap((name) =>
    ['limit', 'remaining', 'reset'].map((figure) => `x-ratelimit-${figure}-${name}`),
  ),
];

/** The context of a call, with the headers that its answer has. `spec 17.19` */
export function chatContext(context: RequestContext, unknownFields: readonly string[]): CallContext {
  const { setHeader } = context;
  const base = callContext(context);
  return {
    ...base,
    onAdmitted(admitted) {
      base.onAdmitted(admitted);
      const ignored = ignoredFields(unknownFields, admitted.extraFields);
      if (ignored) setHeader('X-Ignored-Fields', ignored);
    },
    onLimit(limits) {
      base.onLimit(limits);
      for (const [name, value] of Object.entries(teamLimitHeaders(limits))) setHeader(name, value);
    },
  };
}
