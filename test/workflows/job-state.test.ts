import { newestJobVersion } from '../../src/domain/workflow-version.ts';
import type { JobCall } from '../../workflows/contract/messages.ts';
import { type JobIdentity, newJobSnapshot } from '../../workflows/contract/workflows.ts';
import { JobState, operatorCancellation } from '../../workflows/job/job-state.ts';

const identity: JobIdentity = {
  job_id: 'job-1',
  team_id: 'team-1',
  organization_id: 'org-1',
  job_type: 'report',
  single_call: false,
  for_task: false,
};
const createdAt = 1_000;

const newJob = (fields: Partial<JobIdentity> = {}) =>
  new JobState(
    newJobSnapshot(
      1,
      { ...identity, ...fields },
      { status: 'pending', started_at: null, model_groups_used: [], metadata: {}, updated_at: createdAt },
    ),
  );
const nextRunOf = (job: JobState) => new JobState(JSON.parse(JSON.stringify(job.snapshot())));
const call = (call_id: string, model_group: string | null = 'smart'): JobCall => ({ call_id, model_group });
const completed = { status: 'completed', error_message: null, cancel_reason: null } as const;

test('fields that a newer version has added are passed on to the next run, in the job, its view and its calls too', () => {
  const known = newJob().snapshot();
  const deferred = { ...call('a'), weight: 2 };
  const newer = {
    ...known,
    budget: { left: 3 },
    job: { ...known.job, region: 'north' },
    view: { ...known.view, progress: 0.5 },
    deferred_calls: [deferred],
  };

  const next = nextRunOf(nextRunOf(new JobState(newer))).snapshot();

  expect(next).toEqual(newer);
});

test('a job of a version that this code does not know is not run', () => {
  const newer = { ...newJob().snapshot(), version: newestJobVersion + 1 };

  expect(() => new JobState(newer)).toThrow('needs a newer worker');
});

test('the first call of a pending job sets it in progress', () => {
  const job = newJob();

  expect(job.admit(call('a'), 2_000)).toBe('run');
  expect(job.current()).toMatchObject({ status: 'in_progress', started_at: 2_000, model_groups_used: ['smart'] });
});

test('a retracted call does not count as a call of its job', () => {
  const [job, other] = [newJob(), newJob()];
  const retracted = { error: 'unavailable', retracted: true };
  job.admit(call('a'), 2_000);
  job.callEnded(call('a'), retracted, 2_001);
  other.admit(call('a', 'smart'), 2_000);
  other.admit(call('b', 'fast'), 2_001);
  other.callEnded(call('b', 'fast'), { error: null }, 2_002);
  other.callEnded(call('a'), retracted, 2_003);

  expect(job.current()).toMatchObject({ status: 'pending', started_at: null, model_groups_used: [] });
  expect(other.current()).toMatchObject({ status: 'in_progress', started_at: 2_000, model_groups_used: ['fast'] });
});

test('a retracted call leaves its job in progress when another call has the same model group, also one of an earlier run', () => {
  const [job, earlier] = [newJob(), newJob()];
  job.admit(call('a'), 2_000);
  job.admit(call('b'), 2_001);
  earlier.admit(call('b'), 2_000);
  earlier.callEnded(call('b'), { error: null }, 2_001);
  const next = nextRunOf(earlier);
  next.admit(call('a'), 2_002);

  for (const one of [job, next]) {
    one.callEnded(call('a'), { error: 'unavailable', retracted: true }, 2_003);

    expect(one.current()).toMatchObject({ status: 'in_progress', started_at: 2_000, model_groups_used: ['smart'] });
  }
});

test('a retracted call leaves its job in progress when an earlier run of the job has called an alias', () => {
  const earlier = newJob();
  earlier.admit(call('alias', null), 2_000);
  earlier.callEnded(call('alias', null), { error: null }, 2_001);
  const next = nextRunOf(earlier);
  next.admit(call('a'), 2_002);
  next.callEnded(call('a'), { error: 'unavailable', retracted: true }, 2_003);

  expect(next.current()).toMatchObject({ status: 'in_progress', started_at: 2_000, model_groups_used: [] });
});

test('a call that is signalled twice runs once', () => {
  const job = newJob();

  expect([job.admit(call('a'), 1), job.admit(call('a'), 2)]).toEqual(['run', 'ignore']);
});

test('a call that is signalled again after it has ended or was refused is ignored', () => {
  const job = newJob();
  const ended = Array.from({ length: 10 }, (_, index) => call(`ended-${index}`));
  for (const one of ended) {
    job.admit(one, 1);
    job.callEnded(one, { error: null }, 2);
  }
  job.complete('one', completed, null, 3);
  job.admit(call('refused'), 4);

  expect([...ended, call('refused')].map((one) => job.admit(one, 5))).toEqual(Array(11).fill('ignore'));
});

test('a signal to a job and the end of a call both count as its last activity', () => {
  const job = newJob();
  job.admit(call('a'), 2_000);
  const whenSignalled = job.lastActivityAt;
  job.callEnded(call('a'), { error: null }, 5_000);

  expect([whenSignalled, job.lastActivityAt]).toEqual([2_000, 5_000]);
});

test('the second of two updates in one millisecond has the later updated_at', () => {
  const job = newJob();
  job.updateMetadata('one', { a: 1 }, 2_000);
  const first = job.current().updated_at;
  job.updateMetadata('two', { a: 2 }, 2_000);

  expect(job.current().updated_at).toBeGreaterThan(first);
});

test('the model groups of a job are listed in the order of their first use, without aliases', () => {
  const job = newJob();
  for (const [id, group] of [
    ['a', 'smart'],
    ['b', null],
    ['c', 'fast'],
    ['d', 'smart'],
  ] as const)
    job.admit(call(id, group), 1);

  expect(job.current().model_groups_used).toEqual(['smart', 'fast']);
});

test('the result of a job has the metadata updates of the last ten seconds, up to 32 KB', () => {
  const job = newJob();
  const large = 'x'.repeat(10_000);
  for (const step of [1, 2, 3, 4]) job.updateMetadata(`update-${step}`, { step, large }, 2_000 + step);
  const recent = (now: number) =>
    Object.entries(job.recentMetadataUpdates(now)).map(([id, { metadata }]) => [id, metadata.step]);

  expect(recent(2_004)).toEqual([
    ['update-4', 4],
    ['update-3', 3],
    ['update-2', 2],
  ]);
  expect(recent(12_003)).toEqual([['update-4', 4]]);
});

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

test('a job that is cancelled twice has its first reason', () => {
  const job = newJob();
  job.cancel({ command_id: 'one', reason: 'not needed' }, 1, () => true);

  expect(job.cancel({ command_id: 'two', reason: 'too slow' }, 2, () => true)).toMatchObject({ accepted: true });
  expect(job.end).toMatchObject({ status: 'cancelled', cancel_reason: 'not needed' });
});

test('a command that is signalled twice is decided once', () => {
  const job = newJob();
  job.updateMetadata('one', { a: 1 }, 1);
  job.updateMetadata('two', { a: 2 }, 2);

  expect(job.updateMetadata('one', { a: 1 }, 3)).toMatchObject({ accepted: true, metadata: { a: 1 } });
  expect(job.current().metadata).toEqual({ a: 2 });
});

test('300 commands at once all have their verdicts', () => {
  const job = newJob();
  const ids = Array.from({ length: 300 }, (_, index) => `command-${index}`);
  for (const id of ids) job.updateMetadata(id, { [id]: 1 }, 1);

  expect(ids.filter((id) => !job.verdictOn(id)?.accepted)).toEqual([]);
  expect(job.acceptedCommands()).toEqual(ids);
});

test('a running call that is signalled again after 600 others is ignored', () => {
  const job = newJob();
  job.admit(call('long'), 1);
  for (let index = 0; index < 600; index += 1) {
    job.admit(call(`short-${index}`), 2);
    job.callEnded(call(`short-${index}`), { error: null }, 3);
  }

  expect(job.admit(call('long'), 4)).toBe('ignore');
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

test('a snapshot has the whole state of a job for its next run', () => {
  const job = newJob();
  job.admit(call('a'), 1);
  job.callEnded(call('a'), { error: null }, 1);
  job.updateMetadata('one', { a: 1 }, 2);
  job.defer(call('b'));
  job.complete('two', completed, null, 3);

  const next = nextRunOf(job);

  expect(next.snapshot()).toEqual(job.snapshot());
  expect([next.admit(call('a'), 4), next.admit(call('b'), 4)]).toEqual(['ignore', 'ignore']);
  expect(next.verdictOn('one')).toMatchObject({ accepted: true });
  expect(next.takeDeferred()).toEqual([call('b')]);
});

test('an idle job of a task is completed when its last call has an answer without tool calls, also one of an earlier run', () => {
  const job = newJob({ for_task: true });
  job.admit(call('a'), 2_000);
  job.callEnded(call('a'), { error: 'the model failed' }, 2_001);
  job.admit(call('b'), 2_002);
  job.callEnded(call('b'), { error: null }, 2_003);
  job.admit(call('c'), 2_004);
  job.callEnded(call('c'), { error: 'unavailable', retracted: true }, 2_005);
  const next = nextRunOf(job);

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
  for (const [place, end] of ends.entries()) {
    job.admit(call(String(place)), 2_000);
    job.callEnded(call(String(place)), end, 2_001);
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
] as const)('a call that ends its job with the condition %s and the result %j ends it: %s', (end_job, result, ends) => {
  const job = newJob();
  const ending = { ...call('a'), end_job };
  job.admit(ending, 2_000);

  job.callEnded(ending, result, 2_001);

  expect(job.end).toEqual(ends ? { ...completed, ended_by: 'call' } : null);
});

test.each<[string, Partial<JobIdentity>, (job: JobState) => unknown]>([
  ['client', {}, (job) => job.cancel({ command_id: 'one', reason: null }, 1, () => true)],
  ['admin', {}, (job) => job.cancel({ command_id: 'one', reason: null, audit_entry: '{}' }, 1, () => true)],
  ['operator', {}, (job) => job.cancel(operatorCancellation, 1, () => true)],
  ['idle', {}, (job) => job.timeOut()],
  ['call', { single_call: true }, (job) => job.callEnded({ ...call('a'), opens_job: true }, { error: null }, 2)],
  ['call', { single_call: true }, (job) => job.callEnded({ ...call('a'), opens_job: true }, { error: 'failed' }, 2)],
  ['call', {}, (job) => job.callEnded({ ...call('a'), end_job: 'call' }, { error: null }, 2)],
])('a job that was ended by its %s says so where it is settled', (ended_by, fields, end) => {
  const job = newJob(fields);

  end(job);

  expect(nextRunOf(job).startSettling()).toMatchObject({ ended_by });
});
