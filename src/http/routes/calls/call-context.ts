import type { z } from 'zod';
import type { CallContext } from '../../../calls/call-context.ts';
import type { SingleCallRequest } from '../../../contracts/calls.ts';
import type { NewJob } from '../../../db/jobs/insert-job.ts';
import { teamOf } from '../../auth/caller.ts';
import { limitHeaders } from '../../limits/limit-headers.ts';
import type { RequestContext } from '../../route.ts';
import { newJob } from '../jobs/new-job.ts';

/** The context of a call that an HTTP request makes. */
export const callContext = ({ deps, caller, newId, operation, setHeader }: RequestContext): CallContext => ({
  deps,
  team: teamOf(caller),
  newId,
  operation,
  onAdmitted({ jobId, callId }) {
    setHeader('X-Job-Id', jobId);
    setHeader('X-Call-Id', callId);
  },
  onLimit(standing) {
    for (const [name, value] of Object.entries(limitHeaders(standing))) setHeader(name, value);
  },
});

/** The job that is created for one call. The admission compares its team with the caller's. */
export const singleCallJob = (context: RequestContext, body: z.output<typeof SingleCallRequest>): NewJob => ({
  ...newJob(context, { ...body, metadata: body.job_metadata }),
  team_id: body.team_id,
});
