import { admitSingle } from '../../../calls/admit-call.ts';
import { jobResult } from '../../../calls/job-result.ts';
import { runStream } from '../../../calls/run-call.ts';
import { Chunk, SingleCallRequest } from '../../../contracts/calls.ts';
import { route } from '../../route.ts';
import { refusalsOfSingle } from './refusals.ts';

export const createAndStream = route(
  {
    method: 'post',
    path: '/api/jobs/create-and-call-stream',
    summary: 'Create a job, stream its one call and complete it',
    description:
      'The events are those of `llm-call-stream`. At `[DONE]` the job has ended and the credit is deducted, unless an error came ' +
      'before it. A client that goes away changes nothing.',
    tag: 'Single-call jobs',
    auth: ['team'],
    body: SingleCallRequest,
    makesCall: true,
    streams: true,
    response: Chunk,
    errors: [...refusalsOfSingle, 'job_finished'],
    example: { body: { purpose: 'summary', max_tokens: 200, job_metadata: { cost_center: 'FIN-204' } } },
  },
  async (context) => {
    const { deps, body } = context;
    return runStream(
      context,
      body,
      () => admitSingle(context, body, { streamed: true }),
      // The job ends without this wait too; an outage now is no reason to withhold the answer.
      ({ job }, end) =>
        jobResult(deps, job.job_id, end).catch((error) => deps.log.warn({ err: error }, 'settlement not seen')),
    );
  },
);
