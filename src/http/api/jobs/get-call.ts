import {
  CallPayloadQuery,
  CallWithPayload,
  JobCallParams,
  maxShownBytes,
  type PayloadPart,
  partsOf,
} from '../../../contracts/job-calls.ts';
import { writeRepeatableEntry } from '../../../db/audit/audit-entry.ts';
import { findJobCall } from '../../../db/calls/list-job-calls.ts';
import { type PayloadRow, readPayload } from '../../../db/calls/read-payload.ts';
import { parseExactJson } from '../../../domain/formats/exact-json.ts';
import { refuse } from '../../../errors.ts';
import { type RequestContext, route } from '../../route.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';
import { callsForCaller } from './support/serialize-call.ts';

export const getCall = route(
  {
    method: 'get',
    path: '/api/jobs/{job_id}/calls/{call_id}',
    summary: 'Read one call, and with `include` its request and response',
    description:
      'A team reads its own calls. That an admin reads a request or a response is written to the audit log, and may be forbidden by ' +
      'the setting `ADMIN_READS_PAYLOADS`.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    secret: true,
    params: JobCallParams,
    query: CallPayloadQuery,
    response: CallWithPayload,
    errors: ['job_of_another_team', 'job_not_found', 'call_not_found', 'payloads_hidden'],
    example: {
      response: {
        request: { messages: [{ role: 'user', content: 'Summarize the report' }] },
        response: { content: 'Revenue rose by 12 percent.' },
        request_bytes: 63,
        response_bytes: 42,
        truncated: false,
      },
    },
  },
  async (context) => {
    const { deps, caller, params, query } = context;
    const { job_id } = await getJobForCaller(deps, caller, params.job_id);
    const found = await findJobCall(deps.database, job_id, params.call_id);
    if (!found) throw refuse('call_not_found', params.call_id);
    const [call] = await callsForCaller(deps, caller, [found]);
    const parts = partsOf(query.include);
    if (parts.length === 0) return { ...call!, job_id };
    await admitReader(context, job_id, params.call_id, parts);
    const most = Math.min(query.max_bytes, maxShownBytes);
    const payload = await readPayload(deps.database, params.call_id, most);
    return { ...call!, job_id, ...serializePayload(payload, parts, most) };
  },
);

/** An admin's reading is audited before anything is read. `spec 19.29` */
async function admitReader(
  context: RequestContext,
  jobId: string,
  callId: string,
  include: PayloadPart[],
): Promise<void> {
  const { deps, caller } = context;
  if (caller.kind === 'team') return;
  if (!deps.config.ADMIN_READS_PAYLOADS) throw refuse('payloads_hidden');
  const change = {
    action: 'read_call_payload',
    resource_type: 'job',
    resource_id: jobId,
    details: { call_id: callId, include },
  };
  await deps.database.transaction((entities) => writeRepeatableEntry(entities, context, change));
}

/** Whole texts as JSON, longer ones cut to so many bytes, never within a character. */
function serializePayload(payload: PayloadRow | undefined, parts: readonly PayloadPart[], maxBytes: number) {
  const shown = parts.map((part) => {
    const text = payload?.[part] ?? null;
    const bytes = payload?.[`${part}_bytes`] ?? null;
    const isCut = bytes !== null && bytes > maxBytes;
    const value = text === null ? null : isCut ? cut(text, maxBytes) : parseExactJson(text);
    return { part, value, bytes, isCut };
  });
  return {
    ...Object.fromEntries(
      shown.flatMap(({ part, value, bytes }) => [
        [part, value],
        [`${part}_bytes`, bytes],
      ]),
    ),
    truncated: shown.some(({ isCut }) => isCut),
  };
}

const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
