import type { z } from 'zod';
import type { ModelRequest } from '../../../calls/call-context.ts';
import type { CallTarget } from '../../../calls/call-target.ts';
import { type CallRequest, defaultTemperature, type SingleCallRequest } from '../../../contracts/calls.ts';
import { joinMembers, readItems, readMembers } from '../../../domain/formats/json-members.ts';
import { bytesOfJson, type SentMembers, utf8BytesOfJson } from '../../../domain/formats/sent-json.ts';
import { tokensOfRequest, tokensToReserve } from '../../../domain/token-estimate.ts';
import { newJob } from '../../../services/jobs/new-job.ts';
import { forwardedMembers } from '../../body/forwarded-members.ts';
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
  'messages',
  'temperature',
  'max_tokens',
  'response_format',
  'tools',
  'tool_choice',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
] as const;

/** Of these the known fields go on, and no others. */
const readByField: ReadonlySet<string> = new Set(['messages', 'tool_choice']);

function textAsSent(name: string, value: unknown, sent: string | undefined): string {
  if (sent === undefined || sent === 'null' || readByField.has(name)) return JSON.stringify(value);
  return name === 'tools' ? toolsAsSent(value as Tools, sent) : sent;
}

type Tools = NonNullable<z.output<typeof SingleCallRequest>['tools']>;

const memberOf = (object: string, wanted: string): string =>
  [...readMembers(object)].find(({ name }) => name === wanted)!.value;

/** The schemas of the arguments as they were sent. */
function toolsAsSent(tools: Tools, sent: string): string {
  const items = Array.from(readItems(sent), (item, index) => {
    const { parameters, ...called } = tools[index]!.function;
    if (!parameters) return JSON.stringify(tools[index]);
    const schema = memberOf(memberOf(item, 'function'), 'parameters');
    return `{"type":"function","function":${JSON.stringify(called).slice(0, -1)},"parameters":${schema}}}`;
  });
  return `[${items.join(',')}]`;
}

/** The body of the upstream request: the fields of the interface and no others, as they were sent. JSON text. */
function upstreamBody(body: Body, sent: SentMembers): string {
  const fields: Record<string, unknown> = { ...body, temperature: body.temperature ?? defaultTemperature };
  return joinMembers(forwardedMembers(forwarded, fields, (name) => textAsSent(name, fields[name], sent.get(name))));
}

/** What a request wants of a model. `metadata`: of the call, where the endpoint takes any. */
export const toModelRequest = (
  { sentMembers }: Pick<RequestContext, 'sentMembers'>,
  model: string,
  body: Body,
  metadata: Record<string, unknown> | null = null,
): ModelRequest => {
  const text = upstreamBody(body, sentMembers());
  return {
    model,
    body: text,
    promptTokens: tokensOfRequest(bytesOfJson(text)),
    promptTokensToReserve: tokensToReserve(utf8BytesOfJson(text), body.messages.length),
    maxTokens: body.max_tokens ?? 0,
    purpose: body.purpose ?? null,
    metadata,
  };
};
