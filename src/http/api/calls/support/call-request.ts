import type { z } from 'zod';
import type { Admitted, CallContext, ModelRequest } from '../../../../calls/call-context.ts';
import { type CallRequest, defaultTemperature, type SingleCallRequest } from '../../../../contracts/calls.ts';
import type { NewJob } from '../../../../db/jobs/insert-job.ts';
import { isForbiddenField } from '../../../../domain/extra-fields.ts';
import { tokensOfRequest } from '../../../../domain/token-estimate.ts';
import { teamOf } from '../../../../services/caller.ts';
import { newJob } from '../../../../services/jobs/new-job.ts';
import { setLimitHeaders } from '../../../limits/limit-headers.ts';
import type { RequestContext } from '../../../route.ts';

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

/** The context of a call that an HTTP request makes. `unknownFields`: those of its body that the endpoint does not know. */
export const callContext = (
  { deps, caller, body, newId, operation, setHeader, dropBody }: RequestContext,
  unknownFields: readonly string[] = [],
): CallContext => ({
  deps,
  team: teamOf(caller),
  newId,
  operation,
  onAdmitted(admitted) {
    setHeader('X-Job-Id', admitted.jobId);
    setHeader('X-Call-Id', admitted.callId);
    const ignored = ignoredFields(body, unknownFields, admitted);
    if (ignored) setHeader('X-Ignored-Fields', ignored);
  },
  onRequestStored: dropBody,
  onLimit: ({ calls }) => setLimitHeaders(setHeader, calls),
});

/** The job that is created for one call. The admission compares its team with the caller's. */
export const singleCallJob = (context: RequestContext, body: z.output<typeof SingleCallRequest>): NewJob => ({
  ...newJob(context, { ...body, metadata: body.job_metadata }),
  team_id: body.team_id,
});

type Body = Pick<z.output<typeof CallRequest>, 'messages' | 'temperature' | 'max_tokens' | 'purpose'> &
  Partial<z.output<typeof SingleCallRequest>>;

/** The fields that go to the upstream as they are. */
const forwarded = [
  'max_tokens',
  'response_format',
  'tools',
  'tool_choice',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
] as const;

/** The body of the upstream request: the fields of the interface and no others. JSON text. */
function upstreamBody(body: Body): string {
  const given = forwarded.filter((name) => isGiven(body[name]));
  return JSON.stringify({
    messages: body.messages,
    temperature: body.temperature ?? defaultTemperature,
    ...Object.fromEntries(given.map((name) => [name, body[name]])),
  });
}

/** What a request wants of a model. `metadata`: of the call, where the endpoint takes any. */
export const callRequest = (
  model: string,
  body: Body,
  metadata: Record<string, unknown> | null = null,
): ModelRequest => {
  const text = upstreamBody(body);
  return {
    model,
    body: text,
    promptTokens: tokensOfRequest(Buffer.byteLength(text)),
    maxTokens: body.max_tokens ?? 0,
    purpose: body.purpose ?? null,
    metadata,
  };
};
