import type { z } from 'zod';
import type { CallContext, ModelRequest } from '../../../../calls/call-context.ts';
import { type CallRequest, defaultTemperature, type SingleCallRequest } from '../../../../contracts/calls.ts';
import type { NewJob } from '../../../../db/jobs/insert-job.ts';
import { tokensOfPrompt } from '../../../../domain/token-estimate.ts';
import { teamOf } from '../../../auth/caller.ts';
import { setLimitHeaders } from '../../../limits/limit-headers.ts';
import type { RequestContext } from '../../../route.ts';
import { newJob } from '../../jobs/support/new-job.ts';

/** The context of a call that an HTTP request makes. */
export const callContext = ({ deps, caller, newId, operation, setHeader, dropBody }: RequestContext): CallContext => ({
  deps,
  team: teamOf(caller),
  newId,
  operation,
  onAdmitted({ jobId, callId }) {
    setHeader('X-Job-Id', jobId);
    setHeader('X-Call-Id', callId);
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
  const given = forwarded.filter((name) => body[name] !== undefined && body[name] !== null);
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
): ModelRequest => ({
  model,
  body: upstreamBody(body),
  promptTokens: tokensOfPrompt(body),
  maxTokens: body.max_tokens ?? 0,
  purpose: body.purpose ?? null,
  metadata,
});
