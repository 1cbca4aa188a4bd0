import { newestJobVersion } from '../../src/domain/workflow-version.ts';
import { JobState } from '../../workflows/job/job-workflow-state.ts';
import { call, completed, newJob, toNextRun } from './new-job.ts';

test('fields that a newer version has added are passed on to the next run, in the job, its view and its calls too (spec 15.9)', () => {
  const known = newJob().snapshot();
  const deferred = { ...call('a'), weight: 2 };
  const newer = {
    ...known,
    budget: { left: 3 },
    job: { ...known.job, region: 'north' },
    view: { ...known.view, progress: 0.5 },
    deferred_calls: [deferred],
  };

  const next = toNextRun(toNextRun(new JobState(newer))).snapshot();

  expect(next).toEqual(newer);
});

test('a job of a version that this code does not support is not run', () => {
  const newer = { ...newJob().snapshot(), version: newestJobVersion + 1 };

  expect(() => new JobState(newer)).toThrow('needs a newer worker');
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

  expect(ids.filter((id) => !job.decisionOn(id)?.accepted)).toEqual([]);
  expect(job.acceptedCommands()).toEqual(ids);
});

test('a snapshot has the whole state of a job for its next run', () => {
  const job = newJob();
  job.admit(call('a'), 1);
  job.callEnded(call('a'), { error: null }, 1);
  job.updateMetadata('one', { a: 1 }, 2);
  job.defer(call('b'));
  job.complete('two', completed, null, 3);

  const next = toNextRun(job);

  expect(next.snapshot()).toEqual(job.snapshot());
  expect([next.admit(call('a'), 4), next.admit(call('b'), 4)]).toEqual(['ignore', 'ignore']);
  expect(next.decisionOn('one')).toMatchObject({ accepted: true });
  expect(next.takeDeferred()).toEqual([call('b')]);
});
