import { call, completed, newJob, toNextRun } from './new-job.ts';

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
  const next = toNextRun(earlier);
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
  const next = toNextRun(earlier);
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

test('a running call that is signalled again after 600 others is ignored', () => {
  const job = newJob();
  job.admit(call('long'), 1);
  for (let index = 0; index < 600; index += 1) {
    job.admit(call(`short-${index}`), 2);
    job.callEnded(call(`short-${index}`), { error: null }, 3);
  }

  expect(job.admit(call('long'), 4)).toBe('ignore');
});
