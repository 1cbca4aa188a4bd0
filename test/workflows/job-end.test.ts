import { endOfLostJob } from '../../src/domain/job-state.ts';
import type { JobIdentity } from '../../workflows/contract/workflows.ts';
import { type JobState, operatorCancellation } from '../../workflows/job/job-workflow-state.ts';
import { call, completed, newJob, toNextRun } from './new-job.ts';

test('a job that is being completed refuses calls and metadata updates', () => {
  const job = newJob();
  job.complete('one', completed, null, 1);

  expect(job.admit(call('late'), 2)).toBe('refuse');
  expect(job.updateMetadata('two', { a: 1 }, 2)).toEqual({
    accepted: false,
    reason: 'job_finished',
    status: 'completed',
  });
});

test('a repeated completion is accepted, a different end is refused', () => {
  const job = newJob();
  job.complete('one', completed, null, 1);

  expect(job.complete('two', completed, null, 2)).toMatchObject({ accepted: true });
  expect(job.complete('three', { ...completed, status: 'failed' }, null, 3)).toMatchObject({
    accepted: false,
    status: 'completed',
  });
});

test('a cancel overrides a completion that waits for calls, until the job is being settled', () => {
  const [waiting, settling, idle] = [newJob(), newJob(), newJob()];
  for (const job of [waiting, settling, idle]) job.complete('one', completed, null, 1);
  settling.startSettling();

  expect(waiting.cancel({ command_id: 'two', reason: 'changed my mind' }, 2, () => true)).toMatchObject({
    accepted: true,
  });
  expect(waiting.end).toMatchObject({ status: 'cancelled', error_message: null, cancel_reason: 'changed my mind' });
  expect(waiting.complete('three', completed, null, 3)).toMatchObject({ accepted: false, status: 'cancelled' });
  expect(settling.cancel({ command_id: 'two', reason: 'too late' }, 2, () => true)).toMatchObject({
    accepted: false,
    status: 'completed',
  });
  expect(idle.cancel({ command_id: 'two', reason: 'too late' }, 2, () => false)).toMatchObject({
    accepted: false,
    status: 'completed',
  });
});

test('a job that is cancelled twice has its first reason (spec 3.6)', () => {
  const job = newJob();
  job.cancel({ command_id: 'one', reason: 'not needed' }, 1, () => true);

  expect(job.cancel({ command_id: 'two', reason: 'too slow' }, 2, () => true)).toMatchObject({ accepted: true });
  expect(job.end).toMatchObject({ status: 'cancelled', cancel_reason: 'not needed' });
});

test("a completion's metadata become the job's when it is settled, and never when a cancel overrides it", () => {
  const [settled, overridden] = [newJob(), newJob()];
  for (const job of [settled, overridden]) {
    job.updateMetadata('one', { kept: 1 }, 1);
    job.complete('two', completed, { result: 2 }, 2);
  }
  overridden.cancel({ command_id: 'three', reason: null }, 3, () => true);
  overridden.startSettling();

  expect(settled.current().metadata).toEqual({ kept: 1 });
  expect(settled.startSettling()).toEqual({ ...completed, metadata: { kept: 1, result: 2 } });
  expect(settled.current()).toMatchObject({ status: 'pending', metadata: { kept: 1 } });
  settled.markSettled('completed');
  expect(settled.current()).toMatchObject({ status: 'completed', metadata: { kept: 1, result: 2 } });
  overridden.markSettled('cancelled');
  expect(overridden.current().metadata).toEqual({ kept: 1 });
});

test('a completion with too large metadata is refused and leaves the job open', () => {
  const job = newJob();
  job.updateMetadata('one', { kept: 'x'.repeat(6_000) }, 1);

  expect(job.complete('two', completed, { more: 'x'.repeat(6_000) }, 2)).toEqual({
    accepted: false,
    reason: 'metadata_too_large',
  });
  expect(job.end).toBeNull();
});

test.each([
  [null, 'completed'],
  ['the model is unavailable', 'failed'],
])('a single-call job whose call ended with %p is %s', (error, status) => {
  const job = newJob({ single_call: true });
  const own = { ...call('a'), opens_job: true };
  job.admit(own, 1);
  job.callEnded(own, { error }, 2);

  expect(job.end).toMatchObject({ status, error_message: error });
});

test('a single-call job does not end with a call that it was not created with', () => {
  const job = newJob({ single_call: true });
  job.admit({ ...call('own'), opens_job: true }, 1);
  job.admit(call('other'), 2);
  job.callEnded(call('other'), { error: 'the model is unavailable' }, 3);

  expect(job.end).toBeNull();
  job.callEnded({ ...call('own'), opens_job: true }, { error: null }, 4);
  expect(job.end).toMatchObject({ status: 'completed' });
});

test('an idle job of a task is completed when its last call has an answer without tool calls, also one of an earlier run', () => {
  const job = newJob({ for_task: true });
  job.admit(call('a'), 2_000);
  job.callEnded(call('a'), { error: 'the model failed' }, 2_001);
  job.admit(call('b'), 2_002);
  job.callEnded(call('b'), { error: null }, 2_003);
  job.admit(call('c'), 2_004);
  job.callEnded(call('c'), { error: 'unavailable', retracted: true }, 2_005);
  const next = toNextRun(job);

  next.timeOut();

  expect(next.end).toMatchObject(completed);
});

test.each([
  ['has no call', true, []],
  ['waits for the result of a tool', true, [{ error: null }, { error: null, has_tool_calls: true }]],
  ['has a failed last call', true, [{ error: null }, { error: 'the model failed' }]],
  ['is of no task', false, [{ error: null }]],
])('an idle job that %s has timed out', (_what, for_task, ends) => {
  const job = newJob({ for_task });
  for (const [index, end] of ends.entries()) {
    job.admit(call(String(index)), 2_000);
    job.callEnded(call(String(index)), end, 2_001);
  }

  job.timeOut();

  expect(job.end).toMatchObject({ status: 'failed', error_message: 'Job timed out', cancel_reason: null });
});

test.each([
  ['call', { error: null, has_tool_calls: true }, true],
  ['call', { error: 'the model failed' }, false],
  ['call', { error: 'unavailable', retracted: true }, false],
  ['answer', { error: null }, true],
  ['answer', { error: null, has_tool_calls: true }, false],
] as const)('a call with end_job %s and the result %j ends its job: %s', (end_job, result, ends) => {
  const job = newJob();
  const ending = { ...call('a'), end_job };
  job.admit(ending, 2_000);

  job.callEnded(ending, result, 2_001);

  expect(job.end).toEqual(ends ? { ...completed, ended_by: 'call' } : null);
});

test.each<[string, Partial<JobIdentity>, (job: JobState) => unknown]>([
  ['client', {}, (job) => job.cancel({ command_id: 'one', reason: null }, 1, () => true)],
  ['operator', {}, (job) => job.cancel(operatorCancellation, 1, () => true)],
  ['idle', {}, (job) => job.timeOut()],
  ['call', { single_call: true }, (job) => job.callEnded({ ...call('a'), opens_job: true }, { error: null }, 2)],
  ['call', { single_call: true }, (job) => job.callEnded({ ...call('a'), opens_job: true }, { error: 'failed' }, 2)],
  ['call', {}, (job) => job.callEnded({ ...call('a'), end_job: 'call' }, { error: null }, 2)],
])('the settlement of a job that was ended by %s has this cause (spec 19.26)', (ended_by, fields, end) => {
  const job = newJob(fields);

  end(job);

  expect(toNextRun(job).startSettling()).toMatchObject({ ended_by });
});

test('a single-call job whose call was stopped before a token was shown is cancelled, also where its workflow is lost, and another job goes on (spec 26.11)', () => {
  const [single, open] = [newJob({ single_call: true }), newJob()];
  for (const job of [single, open]) {
    job.admit({ ...call('one'), opens_job: true }, 1);
    job.callEnded({ ...call('one'), opens_job: true }, { error: null, is_unshown: true }, 2);
  }

  expect(single.end).toEqual({ status: 'cancelled', error_message: null, cancel_reason: null, ended_by: 'call' });
  expect(open.end).toBeNull();
  const isOpen = { isTerminated: false, isEndedByCall: false };
  expect(endOfLostJob({ error: null, is_unshown: true }, isOpen)).toMatchObject({ status: 'cancelled' });
  expect(endOfLostJob({ error: null, is_unshown: false }, isOpen)).toMatchObject({ status: 'completed' });
});
