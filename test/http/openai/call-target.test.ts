import type { NewJob } from '../../../src/db/jobs/insert-job.ts';
import type { ChatRequest } from '../../../src/http/openai/chat-request.ts';
import { type JobHeaders, toCallTarget } from '../../../src/http/v1/call-target.ts';
import type { TeamCaller } from '../../../src/services/caller.ts';

const caller = {
  kind: 'team',
  teamId: 'team',
  organizationId: 'organization',
  key: { hashes: [], id: null },
  settings: { jobless_calls: 'single', job_key_from: ['header:x-session'] },
} as unknown as TeamCaller;

const target = (headers: JobHeaders, body: object = {}, session?: string) => {
  const { metadata, user, safety_identifier } = body as ChatRequest;
  const context = { caller, newId: (name: string) => `new ${name}`, headers, sentHeaders: { 'x-session': session } };
  const userId = user ?? safety_identifier ?? null;
  return toCallTarget(context, {
    body: { ...body },
    userId,
    metadata: metadata ?? null,
    defaultJobType: 'chat.completions',
  });
};

const newJob: NewJob = {
  job_id: 'new job',
  team_id: 'team',
  organization_id: 'organization',
  user_id: null,
  job_type: 'chat.completions',
  external_task_id: null,
  metadata: {},
  key_id: null,
};

const [job, other] = ['3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35', '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2'];
const single = { kind: 'single_call' };
const ofJob = (jobId: string) => ({ kind: 'open_job', jobId });
const ofTask = (external_task_id: string) => ({ kind: 'task', newJob: { external_task_id } });

test.each<[string, JobHeaders, object, string | undefined, object]>([
  ['nothing is given', {}, {}, undefined, single],
  ['metadata names nothing', {}, { metadata: { a: 1 } }, undefined, single],
  ['metadata names nothing with null', {}, { metadata: { job_id: null } }, undefined, single],
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
  'where %s, the value that takes precedence decides the job of the call (spec 17.2, spec 18.2)',
  (_, headers, body, session, expected) => {
    expect(target(headers, body, session)).toMatchObject(expected);
  },
);

test('a job that is made for a call without further fields has the default type and nothing else (spec 17.3)', () => {
  expect(target({})).toEqual({ kind: 'single_call', newJob });
});

test('the job type of a header takes precedence over that of the metadata, and the user over the safety_identifier (spec 17.3)', () => {
  const metadata = { job_type: 'b', trace: 1 };

  expect(target({ 'x-job-type': 'a' }, { user: 'u', safety_identifier: 's', metadata })).toEqual({
    kind: 'single_call',
    newJob: { ...newJob, job_type: 'a', user_id: 'u', metadata },
  });
  expect(target({}, { safety_identifier: 's', metadata })).toMatchObject({ newJob: { job_type: 'b', user_id: 's' } });
});

test('a call ends the job that X-Job-End names, and not one that is made for it (spec 18.5)', () => {
  const headers: JobHeaders = { 'x-job-end': 'answer' };

  expect(target({ ...headers, 'x-job-id': job })).toEqual({ ...ofJob(job), jobEnd: 'answer' });
  expect(target({ ...headers, 'x-external-task-id': 't' })).toMatchObject({ ...ofTask('t'), jobEnd: 'answer' });
  expect(target(headers)).not.toHaveProperty('jobEnd');
});

test('where the team refuses calls without a job, a call that names none is refused (spec 18.4)', () => {
  caller.settings.jobless_calls = 'refuse';

  expect(() => target({})).toThrow('job');
  expect(target({ 'x-external-task-id': 't' })).toMatchObject(ofTask('t'));
});
