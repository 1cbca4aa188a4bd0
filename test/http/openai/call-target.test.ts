import type { NewJob } from '../../../src/db/jobs/insert-job.ts';
import type { ChatRequest } from '../../../src/http/openai/chat-request.ts';
import { type JobHeaders, toCallTarget } from '../../../src/http/v1/call-target.ts';
import type { TeamCaller } from '../../../src/services/caller.ts';

const caller = {
  kind: 'team',
  teamId: 'team',
  organizationId: 'organization',
  key: { hashes: [], id: null },
  settings: { jobless_calls: 'single', job_key_from: ['header:x-session'], agent_turns: 'on', job_end: null },
} as unknown as TeamCaller;

/** `sent`: further headers, and what a door adds to the body. */
const target = (
  headers: JobHeaders,
  body: object = {},
  session?: string,
  sent: { headers?: Record<string, string>; previousCallId?: string; taskWithoutJob?: string } = {},
) => {
  const { metadata, user, safety_identifier } = body as ChatRequest;
  const { headers: further, ...ofDoor } = sent;
  const sentHeaders = { 'x-session': session, ...further };
  const deps = { config: { TURN_SETTLE_SECONDS: 10 } };
  const context = { caller, newId: (name: string) => `new ${name}`, headers, sentHeaders, deps };
  const userId = user ?? safety_identifier ?? null;
  const ofBody = { body: { ...body }, userId, metadata: metadata ?? null, defaultJobType: 'chat.completions' };
  return toCallTarget(context, { ...ofBody, ...ofDoor });
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

const claude = { headers: { 'x-claude-code-session-id': 's' } };
const turnOfClaude = { ...ofTask('claude-code:s'), turnSeconds: 10 };
const agent = { name: 'claude-code', class: null };

test.each<[string, JobHeaders, object, string | undefined, object]>([
  [
    'that names no job belongs to its turn',
    {},
    {},
    undefined,
    { ...turnOfClaude, newJob: { job_type: 'claude-code' } },
  ],
  [
    'has the job type that it names',
    { 'x-job-type': 'a' },
    {},
    undefined,
    { ...turnOfClaude, newJob: { job_type: 'a' } },
  ],
  [
    'ends its job as it states',
    { 'x-job-end': 'answer' },
    {},
    undefined,
    { ...ofTask('claude-code:s'), jobEnd: 'answer' },
  ],
  ['ends its turn as it states', { 'x-job-end': 'turn=3' }, {}, undefined, { ...turnOfClaude, turnSeconds: 3 }],
  ['belongs to the job that it names', { 'x-job-id': job }, {}, undefined, ofJob(job)],
  ['belongs to the task that it names', {}, { metadata: { external_task_id: 't' } }, undefined, ofTask('t')],
  ['belongs to the task that its team looks for', {}, {}, 'session-1', ofTask('session-1')],
])('a call of an agent %s (spec 27.1, spec 27.2)', (_, headers, body, session, expected) => {
  expect(target(headers, body, session, claude)).toMatchObject({ ...expected, agent });
});

test('a call of an agent in a job or task that it names does not end it unasked (spec 27.2)', () => {
  for (const headers of [{ 'x-job-id': job }, { 'x-external-task-id': 't' }])
    expect(target(headers, {}, undefined, claude)).not.toHaveProperty('turnSeconds');
});

test('the job of an earlier call comes after the turn of an agent and before a job of its own (spec 27.6)', () => {
  const previousCallId = other;

  expect(target({ 'x-job-end': 'turn' }, {}, undefined, { previousCallId })).toEqual({
    kind: 'previous',
    previousCallId,
    newJob,
    turnSeconds: 10,
  });
  expect(target({}, {}, undefined, { ...claude, previousCallId })).toMatchObject(turnOfClaude);
  expect(target({ 'x-external-task-id': 't' }, {}, undefined, { previousCallId })).toMatchObject(ofTask('t'));
});

test('the task of calls without a job comes last (spec 27.8)', () => {
  const taskWithoutJob = 'embeddings';

  expect(target({}, {}, undefined, { taskWithoutJob })).toEqual({
    kind: 'task',
    newJob: { ...newJob, external_task_id: 'embeddings' },
  });
  expect(target({ 'x-job-end': 'call' }, {}, undefined, { taskWithoutJob })).toMatchObject({ jobEnd: 'call' });
  expect(target({}, {}, undefined, { ...claude, taskWithoutJob })).toMatchObject(turnOfClaude);
});

describe('the team setting', () => {
  afterEach(() => Object.assign(caller.settings, { jobless_calls: 'single', agent_turns: 'on', job_end: null }));

  test('agent_turns: off leaves a call of an agent without a task, and keeps which agent made it (spec 27.2, spec 27.5)', () => {
    caller.settings.agent_turns = 'off';

    expect(target({}, {}, undefined, claude)).toEqual({ kind: 'single_call', newJob, agent });
  });

  test('job_end holds for calls of tasks without X-Job-End, and for no others (spec 27.4)', () => {
    caller.settings.job_end = 'turn';

    expect(target({ 'x-external-task-id': 't' })).toMatchObject({ turnSeconds: 10 });
    expect(target({}, {}, 'session-1')).toMatchObject({ turnSeconds: 10 });
    expect(target({ 'x-external-task-id': 't', 'x-job-end': 'call' })).toMatchObject({ jobEnd: 'call' });
    expect(target({ 'x-external-task-id': 't', 'x-job-end': 'call' })).not.toHaveProperty('turnSeconds');
    expect(target({ 'x-job-id': job })).toEqual(ofJob(job));
    expect(target({}, {}, undefined, { taskWithoutJob: 'embeddings' })).not.toHaveProperty('turnSeconds');
    caller.settings.job_end = 'answer';
    expect(target({ 'x-external-task-id': 't' })).toMatchObject({ jobEnd: 'answer' });
    expect(target({}, {}, undefined, claude)).toMatchObject(turnOfClaude);
  });

  test('jobless_calls: where the team refuses calls without a job, a call that names none is refused (spec 18.4)', () => {
    caller.settings.jobless_calls = 'refuse';

    expect(() => target({})).toThrow('job');
    expect(target({ 'x-external-task-id': 't' })).toMatchObject(ofTask('t'));
    expect(() => target({}, {}, undefined, { taskWithoutJob: 'embeddings' })).toThrow('job');
    expect(target({}, {}, undefined, claude)).toMatchObject(turnOfClaude);
    expect(target({}, {}, undefined, { previousCallId: other })).toMatchObject({ kind: 'previous', newJob: null });
  });
});
