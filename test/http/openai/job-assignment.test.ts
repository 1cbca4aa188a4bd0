import type { ChatRequest } from '../../../src/contracts/openai/chat-request.ts';
import type { JobHeaders } from '../../../src/contracts/openai/job-headers.ts';
import { jobAssignmentOf } from '../../../src/http/openai/support/job-assignment.ts';

const assign = (headers: JobHeaders, body: object = {}, teamTask?: string) =>
  jobAssignmentOf(headers, body as ChatRequest, () => teamTask);

const [job, other] = ['3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35', '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2'];
const ofJob = (jobId: string) => ({ kind: 'job', jobId });
const ofTask = (externalTaskId: string) => ({ kind: 'task', externalTaskId });

test.each<[string, JobHeaders, object, string | undefined, object]>([
  ['nothing is given', {}, {}, undefined, { kind: 'single' }],
  ['metadata names nothing', {}, { metadata: { a: 1 } }, undefined, { kind: 'single' }],
  ['metadata names nothing with null', {}, { metadata: { job_id: null } }, undefined, { kind: 'single' }],
  ['a header names a job', { 'x-job-id': job }, {}, undefined, ofJob(job)],
  ['metadata names a job', {}, { metadata: { job_id: job.toUpperCase() } }, undefined, ofJob(job)],
  ['both name a job', { 'x-job-id': job }, { metadata: { job_id: other } }, undefined, ofJob(job)],
  ['a header names a task', { 'x-external-task-id': 't' }, {}, undefined, ofTask('t')],
  ['metadata names a task', {}, { metadata: { external_task_id: 't' } }, undefined, ofTask('t')],
  ['both name a task', { 'x-external-task-id': 't' }, { metadata: { external_task_id: 'u' } }, undefined, ofTask('t')],
  ['the team names a task', {}, {}, 'session-1', ofTask('session-1')],
  ['the team and metadata name a task', {}, { metadata: { external_task_id: 't' } }, 'session-1', ofTask('t')],
  ['a job and a task are named', { 'x-external-task-id': 't' }, { metadata: { job_id: job } }, 's', ofJob(job)],
])(
  'where %s, the value that takes precedence decides the job of the call (spec 17.2)',
  (_, headers, body, teamTask, expected) => {
    expect(assign(headers, body, teamTask).job).toEqual(expected);
  },
);

test('without further fields a job has the default type and nothing else (spec 17.3)', () => {
  expect(assign({})).toEqual({
    job: { kind: 'single' },
    jobType: 'chat.completions',
    userId: null,
    purpose: null,
    metadata: null,
    endJob: undefined,
  });
});

test('the job type of a header takes precedence over that of the metadata, and the user over the safety_identifier (spec 17.3)', () => {
  const headers: JobHeaders = { 'x-job-type': 'a', 'x-call-purpose': 'p', 'x-job-end': 'answer' };
  const metadata = { job_type: 'b', trace: 1 };

  expect(assign(headers, { user: 'u', safety_identifier: 's', metadata })).toEqual({
    job: { kind: 'single' },
    jobType: 'a',
    userId: 'u',
    purpose: 'p',
    metadata,
    endJob: 'answer',
  });
  expect(assign({}, { safety_identifier: 's', metadata })).toMatchObject({ jobType: 'b', userId: 's' });
});
