import { type JobCall, type JobIdentity, JobState, newJobState } from '../../workflows/job/job-state.ts';

const facts: JobIdentity = {
  job_id: 'job-1',
  team_id: 'team-1',
  organization_id: 'org-1',
  job_type: 'report',
  single_call: false,
};
const createdAt = 1_000;

const newJob = (fields: Partial<JobIdentity> = {}) =>
  new JobState(
    newJobState(
      { ...facts, ...fields },
      { status: 'pending', started_at: null, model_groups_used: [], metadata: {}, updated_at: createdAt },
    ),
  );
const nextRunOf = (job: JobState) => new JobState(JSON.parse(JSON.stringify(job.snapshot())));
const call = (call_id: string, model_group: string | null = 'smart'): JobCall => ({ call_id, model_group });
const completed = { status: 'completed', error_message: null, cancel_reason: null } as const;

test('the first call starts the job', () => {
  const job = newJob();

  expect(job.admit(call('a'), 2_000)).toBe('run');
  expect(job.current()).toMatchObject({ status: 'in_progress', started_at: 2_000, model_groups_used: ['smart'] });
});

test('a call that was taken back before a worker had it is no call of the job', () => {
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

test('what such a call made of the job stays when another has made as much, in an earlier run too', () => {
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

test('a job that has used an alias in an earlier run stays in progress when a call is taken back', () => {
  const earlier = newJob();
  earlier.admit(call('alias', null), 2_000);
  earlier.callEnded(call('alias', null), { error: null }, 2_001);
  const next = nextRunOf(earlier);
  next.admit(call('a'), 2_002);
  next.callEnded(call('a'), { error: 'unavailable', retracted: true }, 2_003);

  expect(next.current()).toMatchObject({ status: 'in_progress', started_at: 2_000, model_groups_used: [] });
});

test('a call that comes twice runs once', () => {
  const job = newJob();

  expect([job.admit(call('a'), 1), job.admit(call('a'), 2)]).toEqual(['run', 'ignore']);
});

test('a call that comes again when it has ended, or was refused, is ignored', () => {
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

test('a job was active when it was last asked for something, and when a call of it ended', () => {
  const job = newJob();
  job.admit(call('a'), 2_000);
  const whenAsked = job.lastActivityAt;
  job.callEnded(call('a'), { error: null }, 5_000);

  expect([whenAsked, job.lastActivityAt]).toEqual([2_000, 5_000]);
});

test('of two changes in one moment the second is the newer one', () => {
  const job = newJob();
  job.updateMetadata('one', { a: 1 }, 2_000);
  const first = job.current().updated_at;
  job.updateMetadata('two', { a: 2 }, 2_000);

  expect(job.current().updated_at).toBeGreaterThan(first);
});

test('model groups are kept in the order of their first use; an alias is none', () => {
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

test('what the updates of the last seconds made is kept for answers after the end, as far as it takes little room', () => {
  const job = newJob();
  const large = 'x'.repeat(10_000);
  for (const step of [1, 2, 3, 4]) job.updateMetadata(`update-${step}`, { step, large }, 2_000 + step);
  const made = (now: number) => Object.entries(job.madeLately(now)).map(([id, { metadata }]) => [id, metadata.step]);

  expect(made(2_004)).toEqual([
    ['update-4', 4],
    ['update-3', 3],
    ['update-2', 2],
  ]);
  expect(made(12_003)).toEqual([['update-4', 4]]);
});

test('completing closes the door', () => {
  const job = newJob();
  job.complete('one', completed, null, 1);

  expect(job.admit(call('late'), 2)).toBe('refuse');
  expect(job.updateMetadata('two', { a: 1 }, 2)).toEqual({
    accepted: false,
    because: 'job_finished',
    status: 'completed',
  });
});

test('the same end again is accepted, another one is refused', () => {
  const job = newJob();
  job.complete('one', completed, null, 1);

  expect(job.complete('two', completed, null, 2)).toMatchObject({ accepted: true });
  expect(job.complete('three', { ...completed, status: 'failed' }, null, 3)).toMatchObject({
    accepted: false,
    status: 'completed',
  });
});

test('a cancel overrules a completion until the job is being settled', () => {
  const [waiting, settling, before] = [newJob(), newJob(), newJob()];
  for (const job of [waiting, settling, before]) job.complete('one', completed, null, 1);
  settling.startSettling();

  expect(waiting.cancel({ command_id: 'two', reason: 'changed my mind' }, 2, () => true)).toMatchObject({
    accepted: true,
  });
  expect(waiting.end).toEqual({ status: 'cancelled', error_message: null, cancel_reason: 'changed my mind' });
  expect(waiting.complete('three', completed, null, 3)).toMatchObject({ accepted: false, status: 'cancelled' });
  expect(settling.cancel({ command_id: 'two', reason: 'too late' }, 2, () => true)).toMatchObject({
    accepted: false,
    status: 'completed',
  });
  expect(before.cancel({ command_id: 'two', reason: 'too late' }, 2, () => false)).toMatchObject({
    accepted: false,
    status: 'completed',
  });
});

test('a job that is cancelled twice keeps its first reason', () => {
  const job = newJob();
  job.cancel({ command_id: 'one', reason: 'not needed' }, 1, () => true);

  expect(job.cancel({ command_id: 'two', reason: 'too slow' }, 2, () => true)).toMatchObject({ accepted: true });
  expect(job.end).toMatchObject({ status: 'cancelled', cancel_reason: 'not needed' });
});

test('a command that comes twice is decided once', () => {
  const job = newJob();
  job.updateMetadata('one', { a: 1 }, 1);
  job.updateMetadata('two', { a: 2 }, 2);

  expect(job.updateMetadata('one', { a: 1 }, 3)).toMatchObject({ accepted: true, metadata: { a: 1 } });
  expect(job.current().metadata).toEqual({ a: 2 });
});

test('as many commands as come at once have their verdicts', () => {
  const job = newJob();
  const ids = Array.from({ length: 300 }, (_, index) => `command-${index}`);
  for (const id of ids) job.updateMetadata(id, { [id]: 1 }, 1);

  expect(ids.filter((id) => !job.verdictOn(id)?.accepted)).toEqual([]);
  expect(job.acceptedLately()).toEqual(ids);
});

test('a call under way is known however many have come since', () => {
  const job = newJob();
  job.admit(call('long'), 1);
  for (let index = 0; index < 600; index += 1) {
    job.admit(call(`short-${index}`), 2);
    job.callEnded(call(`short-${index}`), { error: null }, 3);
  }

  expect(job.admit(call('long'), 4)).toBe('ignore');
});

test("a completion's metadata are the job's when it is settled, and never when a cancel overrules it", () => {
  const [settled, overruled] = [newJob(), newJob()];
  for (const job of [settled, overruled]) {
    job.updateMetadata('one', { kept: 1 }, 1);
    job.complete('two', completed, { result: 2 }, 2);
  }
  overruled.cancel({ command_id: 'three', reason: null }, 3, () => true);
  overruled.startSettling();

  expect(settled.current().metadata).toEqual({ kept: 1 });
  expect(settled.startSettling()).toEqual({ ...completed, metadata: { kept: 1, result: 2 } });
  expect(settled.current()).toMatchObject({ status: 'pending', metadata: { kept: 1 } });
  settled.settled('completed');
  expect(settled.current()).toMatchObject({ status: 'completed', metadata: { kept: 1, result: 2 } });
  overruled.settled('cancelled');
  expect(overruled.current().metadata).toEqual({ kept: 1 });
});

test('metadata that is too large changes nothing, and does not complete the job', () => {
  const job = newJob();
  job.updateMetadata('one', { kept: 'x'.repeat(6_000) }, 1);

  expect(job.complete('two', completed, { more: 'x'.repeat(6_000) }, 2)).toEqual({
    accepted: false,
    because: 'metadata_too_large',
  });
  expect(job.end).toBeNull();
});

test.each([
  [null, 'completed'],
  ['the model is away', 'failed'],
])('a single-call job whose call ended with %p is %s', (error, status) => {
  const job = newJob({ single_call: true });
  const own = { ...call('a'), opens_job: true };
  job.admit(own, 1);
  job.callEnded(own, { error }, 2);

  expect(job.end).toMatchObject({ status, error_message: error });
});

test('a single-call job does not end with a call that it was not created with, but as earlier versions did', () => {
  const job = newJob({ single_call: true });
  const earlier = new JobState({ ...job.snapshot(), version: 3 });
  for (const one of [job, earlier]) {
    one.admit({ ...call('own'), opens_job: true }, 1);
    one.admit(call('other'), 2);
    one.callEnded(call('other'), { error: 'the model is away' }, 3);
  }

  expect(job.end).toBeNull();
  expect(earlier.end).toMatchObject({ status: 'failed' });
  job.callEnded({ ...call('own'), opens_job: true }, { error: null }, 4);
  expect(job.end).toMatchObject({ status: 'completed' });
});

test('everything is carried to the next run', () => {
  const job = newJob();
  job.admit(call('a'), 1);
  job.callEnded(call('a'), { error: null }, 1);
  job.updateMetadata('one', { a: 1 }, 2);
  job.park(call('b'));
  job.complete('two', completed, null, 3);

  const next = nextRunOf(job);

  expect(next.snapshot()).toEqual(job.snapshot());
  expect([next.admit(call('a'), 4), next.admit(call('b'), 4)]).toEqual(['ignore', 'ignore']);
  expect(next.verdictOn('one')).toMatchObject({ accepted: true });
  expect(next.takeParked()).toEqual([call('b')]);
});
