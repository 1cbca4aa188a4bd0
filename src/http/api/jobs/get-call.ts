import { CallPayloadQuery, CallWithPayload, JobCallParams, maxShownBytes } from '../../../contracts/job-calls.ts';
import { getCall as findCall } from '../../../services/calls/get-call.ts';
import { route } from '../../route.ts';
import { serializeCall, serializePayload } from './serialize-call.ts';

export const getCall = route(
  {
    operationId: 'getJobCall',
    method: 'get',
    path: '/api/jobs/{job_id}/calls/{call_id}',
    summary: 'Read one call, and with `include` its request and response',
    description:
      'A team reads its own calls. With `wait` the answer comes when the call has ended, or after so many seconds. That an admin reads a request or a response is written to the audit log, and may be forbidden by ' +
      'the setting `ADMIN_READS_PAYLOADS`.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists', placeWith: { parameter: 'wait', place: 'callReads' } },
    secret: true,
    params: JobCallParams,
    query: CallPayloadQuery,
    response: CallWithPayload.meta({
      example: {
        request: { messages: [{ role: 'user', content: 'Summarize the report' }] },
        response: { content: 'Revenue rose by 12 percent.' },
        request_bytes: 63,
        response_bytes: 42,
        truncated: false,
      },
    }),
    errors: ['job_of_another_team', 'job_not_found', 'call_not_found', 'payloads_hidden'],
  },
  async (context) => {
    const { params, query } = context;
    const parts = query.include ?? [];
    const maxBytes = Math.min(query.max_bytes, maxShownBytes);
    const found = await findCall(
      context,
      { jobId: params.job_id, callId: params.call_id },
      { parts, maxBytes },
      query.wait,
    );
    const call = { ...serializeCall(found), job_id: found.jobId };
    return parts.length === 0 ? call : { ...call, ...serializePayload(found.payload, parts, maxBytes) };
  },
);
