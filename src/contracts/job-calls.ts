import { z } from 'zod';
import { agentNames } from '../domain/agent.ts';
import { callStatuses } from '../domain/call-state.ts';
import { csvFormat } from './csv.ts';
import { beginsOnce, beginsTwice, cursorPage, next_cursor } from './cursor.ts';
import { int, Limit, namedEnum, namedList, Offset, text, timestamp, Uuid } from './fields.ts';
import { CallErrorCode, callForAdmins } from './jobs.ts';
import { requestFields, responseFields, tokens } from './shared-fields.ts';

/** Calls of a job, one by one: `spec 19.27` to `spec 19.29`. */

/** `spec 3.20` */
export const DeletedPayloads = z
  .object({
    job_id: responseFields.job_id,
    deleted: int('Calls whose request and response were deleted now; 0 when none was stored', 3),
  })
  .meta({ id: 'DeletedPayloads' });

export const JobCallParams = z.object({
  job_id: requestFields.job_id,
  call_id: Uuid.describe('Id of the call, as the service returned it in the header `X-Call-Id`'),
});

export const CallStatus = namedEnum('CallStatus', callStatuses, {
  description: '`queued` until a worker begins it, `running` until its end. `refused`: its job was ending',
  example: 'succeeded',
});

const CallAgent = z
  .object({
    name: namedEnum('AgentName', agentNames).describe('Which agent it is'),
    class: text(
      'What the agent makes the call for, in its own words; null where it does not state that',
      'subagent',
    ).nullable(),
  })
  .meta({ id: 'CallAgent' });

export const CallRecord = z
  .object({
    call_id: responseFields.call_id,
    position: z
      .int()
      .describe('Place of the call among all calls of the job, in the order in which they were made, from 1'),
    purpose: responseFields.purpose,
    agent: CallAgent.nullable().describe('The agent that made the call; null where none was recognized'),
    request_id: text(
      'The `X-Request-Id` of the request that made the call, which also goes to the model; null of a call from before it was stored',
      '0d5f8c1e-6a57-4b0e-9a40-4f2f9a3f1c55',
    ).nullable(),
    requested_model: text('The model group or the model alias that the call requested', 'chat-large'),
    model_group: text(
      'Name of the model group that the call requested; null for a model alias',
      'chat-large',
    ).nullable(),
    status: CallStatus,
    streamed: z.boolean().describe('Whether the answer was streamed'),
    created_at: timestamp('When the call was made'),
    started_at: timestamp('When a worker began it; null before', '2026-01-31T09:30:00.350Z').nullable(),
    first_token_at: timestamp(
      'When the first token of a stream was sent; null where there was none',
      '2026-01-31T09:30:00.700Z',
    ).nullable(),
    finished_at: timestamp('When the call ended; null before', '2026-01-31T09:30:01.640Z').nullable(),
    ...tokens,
    cost_usd: z.number().meta({
      description: 'What the call cost at the model providers, all attempts together, in USD',
      example: 0.00043,
    }),
    latency_ms: int('From the start of the call to its end, in milliseconds; 0 before its end', 840),
    finish_reason: text(
      'Why the model stopped, or `stopped` where the client has stopped it; null before the end, and after a failure',
      'stop',
    ).nullable(),
    error: z.string().nullable().describe('Why the call failed, at most 1,000 characters; null when it did not'),
    error_code: CallErrorCode.nullable().describe('Why the call failed, for programs; null when it did not'),
    payload_stored: z.boolean().describe('Whether request and response are still stored'),
    ...callForAdmins,
  })
  .meta({ id: 'CallRecord' });

/** `spec 26.1` */
export const AcceptedCall = z
  .object({
    job_id: responseFields.job_id,
    call_id: responseFields.call_id,
    status: CallStatus,
  })
  .meta({ id: 'AcceptedCall' });

export const JobCallsQuery = z
  .object({
    limit: Limit,
    offset: Offset,
    ...cursorPage,
    ...csvFormat,
    status: CallStatus.optional().describe('Only calls in this status; without it, in any'),
  })
  .refine(beginsOnce, beginsTwice);

export const JobCalls = z
  .object({
    job_id: responseFields.job_id,
    total: responseFields.total.nullable().describe('How many calls match in all; null with `count=none`'),
    calls: z.array(CallRecord).describe('The calls of this page, in the order in which they were made'),
    next_cursor,
  })
  .meta({ id: 'JobCalls' });

/** The default is 256 KiB. */
const defaultBytes = 262_144;
/** A longer text is shown up to here, whatever is asked for: to show 29 MB takes half a second of the thread. */
export const maxShownBytes = 1_048_576;
/** No call may have so many bytes: `CALL_BODY_LIMIT`. */
const maxPayloadBytes = 268_435_456;

/** Load balancers end requests that wait for longer. */
export const maxWaitSeconds = 60;

const payloadParts = ['request', 'response'] as const;
export type PayloadPart = (typeof payloadParts)[number];

export const CallPayloadQuery = z.object({
  wait: z
    .int()
    .min(0)
    .max(maxWaitSeconds)
    .default(0)
    .describe('Seconds to wait for the end of the call, 0 to 60: then it is answered as it is. Default 0'),
  include: namedList('CallPart', payloadParts)
    .optional()
    .describe('What is answered of the texts: `request`, `response` or `request,response`. Without it, none'),
  max_bytes: z
    .int()
    .min(1)
    .max(maxPayloadBytes)
    .default(defaultBytes)
    .describe(
      'A request or response of more bytes is cut to this number, and is then text instead of JSON. At most 1 MiB is shown',
    ),
});

const payload = (what: string) =>
  z
    .unknown()
    .optional()
    .describe(
      `${what}: JSON, or the beginning of its text if it is longer than \`max_bytes\`; null when it is not stored. Of a long one \`{not_kept: {bytes, sha256}}\`, its length and SHA-256, is kept. Present only if included`,
    );
const bytes = (what: string) =>
  z
    .int()
    .nullable()
    .optional()
    .describe(`Size of the whole ${what}; null when it is not stored. Present only if included`);

export const CallWithPayload = CallRecord.extend({
  job_id: responseFields.job_id,
  request: payload('What was sent to the model, without its name'),
  response: payload('The message of the model, with the names of chat completions'),
  request_bytes: bytes('request'),
  response_bytes: bytes('response'),
  truncated: z.boolean().optional().describe('Whether one of the texts was cut. Present only if something is included'),
}).meta({ id: 'CallWithPayload' });
