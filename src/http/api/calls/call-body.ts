import type { z } from 'zod';
import type { ModelRequest } from '../../../calls/call-context.ts';
import type { CallTarget } from '../../../calls/call-target.ts';
import { type CallRequest, defaultTemperature, type SingleCallRequest } from '../../../contracts/calls.ts';
import { tokensOfRequest } from '../../../domain/token-estimate.ts';
import { newJob } from '../../../services/jobs/new-job.ts';
import type { RequestContext } from '../../route.ts';

/** The job that is created for one call. The admission compares its team with the caller's. */
export const singleCallJob = (context: RequestContext, body: z.output<typeof SingleCallRequest>): CallTarget => ({
  kind: 'single_call',
  newJob: { ...newJob(context, { ...body, metadata: body.job_metadata }), team_id: body.team_id },
});

/** What all four endpoints take. */
type Body = Omit<z.output<typeof CallRequest>, 'model_group' | 'call_metadata'>;

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

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

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
export const toModelRequest = (
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
