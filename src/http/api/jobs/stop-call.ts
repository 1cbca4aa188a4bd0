import { CallWithPayload, JobCallParams } from '../../../contracts/job-calls.ts';
import { stopCall as stop } from '../../../services/calls/stop-call.ts';
import { route } from '../../route.ts';
import { serializeCall } from './serialize-call.ts';

export const stopCall = route(
  {
    operationId: 'stopJobCall',
    method: 'post',
    path: '/api/jobs/{job_id}/calls/{call_id}/stop',
    summary: 'End a call with what it has produced so far',
    description:
      'The request to the model is aborted, and the call has succeeded with the `finish_reason` `stopped`, for everyone who waits for ' +
      'it. It counts as any call that has succeeded. A call that has ended stays as it is. A single-call job is completed and ' +
      'charged if a token was shown, and else cancelled.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    params: JobCallParams,
    response: CallWithPayload.meta({ example: { finish_reason: 'stopped' } }),
    errors: ['job_of_another_team', 'job_not_found', 'call_not_found'],
  },
  async (context) => {
    const { params } = context;
    const stopped = await stop(context, { jobId: params.job_id, callId: params.call_id });
    return { ...serializeCall(stopped), job_id: stopped.jobId };
  },
);
