import { callError } from '../../src/domain/call-state.ts';
import { cancel, changeDeadline, complete, llmCall } from '../../workflows/contract/messages.ts';
import { until } from '../support/until.ts';
import { call, cancellation, completion } from './job-signals.ts';
import { completed, newJob, toNextRun } from './new-job.ts';
import { jobsForTests, someQueue, startJobs } from './start-jobs.ts';

const jobs = jobsForTests();
const exceeded = 'settleJob failed: Job deadline exceeded';

/** A job whose record and workflow have the same deadline. */
function startWithDeadline(ms: number, input: Parameters<typeof jobs.current.start>[0] = {}) {
  jobs.current.recordedCutoff = Date.now() + ms;
  return jobs.current.start({ cutoffAt: jobs.current.recordedCutoff, ...input });
}

test('a job fails at its deadline, and its calls are aborted (spec 23.11)', async () => {
  const job = await startWithDeadline(2_500);
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.current.running.has('hangs-1'));

  const result = await job.result();

  expect(result.status).toBe('failed');
  expect(jobs.current.log[0]).toBe('readCutoff');
  expect(jobs.current.log.slice(1, 3).sort()).toEqual(['abortCalls', 'callUpstream hangs-1']);
  expect(jobs.current.log.slice(3)).toEqual([exceeded]);
});

test('a job without a call fails at its deadline, and one that ends before does not read it (spec 23.11)', async () => {
  const [idle, done] = await Promise.all([startWithDeadline(700), startWithDeadline(60_000)]);
  await done.signal(complete, completion());
  await done.result();
  jobs.current.recordedCutoff = Date.now();

  await idle.result();

  expect(jobs.current.log).toEqual(['settleJob completed', 'readCutoff', exceeded]);
});

test('a completion that waits for its calls is overridden by the deadline (spec 23.11)', async () => {
  const job = await startWithDeadline(2_500);
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.current.running.has('hangs-1'));
  await job.signal(complete, completion());

  expect((await job.result()).status).toBe('failed');
  expect(jobs.current.log.at(-1)).toBe(exceeded);
});

test('a call that its worker aborts at the deadline ends the job at once, also the call of a single-call job (spec 23.11)', () => {
  const single = newJob({ single_call: true });
  const admitted = { ...call('a'), opens_job: true };
  single.admit(admitted, 2_000);

  expect(single.exceedDeadline()).toBe(true);
  single.callEnded(admitted, { error: callError.deadline }, 3_000);

  expect(single.end).toMatchObject({ status: 'failed', ended_by: 'deadline', error_message: 'Job deadline exceeded' });
});

test.each<[string, (job: ReturnType<typeof newJob>) => unknown, object, boolean]>([
  [
    'waits for its calls to be completed',
    (job) => job.complete('c', completed, null, 1),
    { ended_by: 'deadline' },
    true,
  ],
  ['is cancelled', (job) => job.cancel(cancellation(), 1, () => true), { status: 'cancelled' }, false],
  [
    'is being settled',
    (job) => [job.complete('c', completed, null, 1), job.startSettling()],
    { status: 'completed' },
    false,
  ],
])('the deadline of a job that %s decides its end, or does not (spec 23.11)', (_, prepare, end, decides) => {
  const job = newJob();
  prepare(job);

  expect(job.exceedDeadline()).toBe(decides);
  expect(job.end).toMatchObject(end);
});

test('after its deadline a job accepts neither completion nor cancel nor call (spec 23.11)', () => {
  const job = newJob();
  job.exceedDeadline();
  const finished = { accepted: false, reason: 'job_finished', status: 'failed' };

  expect(job.complete('c', { ...completed }, null, 1)).toEqual(finished);
  expect(job.cancel(cancellation(), 1, () => true)).toEqual(finished);
  expect(job.admit(call('a'), 1)).toBe('refuse');
});

test('a signal shortens, extends and lifts the deadline of a job, and gives one to a job without (spec 23.11)', async () => {
  const [none, shortened, extended, lifted] = await Promise.all([
    jobs.current.start(),
    startWithDeadline(60_000),
    startWithDeadline(3_000),
    startWithDeadline(3_000),
  ]);
  await extended.signal(changeDeadline, { cutoff_at: Date.now() + 60_000 });
  await lifted.signal(changeDeadline, { cutoff_at: null });
  jobs.current.recordedCutoff = Date.now() + 4_000;
  for (const job of [none, shortened]) await job.signal(changeDeadline, { cutoff_at: jobs.current.recordedCutoff });

  const results = await Promise.all([none.result(), shortened.result()]);
  for (const job of [extended, lifted]) await job.signal(complete, completion());
  const others = await Promise.all([extended.result(), lifted.result()]);

  expect(results.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(others.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('a signal with a deadline that the record does not have does not end the job before that of the record (spec 3.19)', async () => {
  const job = await jobs.current.start();
  jobs.current.recordedCutoff = Date.now() + 60_000;
  await job.signal(changeDeadline, { cutoff_at: 0 });
  await until(() => jobs.current.log.includes('readCutoff'));
  await job.signal(llmCall, call('a'));
  await until(() => jobs.current.log.includes('callUpstream a'));

  jobs.current.recordedCutoff = Date.now();
  await job.signal(changeDeadline, { cutoff_at: jobs.current.recordedCutoff });
  await job.result();

  expect(jobs.current.log).toEqual(['readCutoff', 'callUpstream a', 'readCutoff', exceeded]);
});

test.each([{}, { cutoff_at: 'soon' }, { cutoff_at: 1.5 }, null, 7])(
  'a signal about the deadline with %j is ignored',
  async (message) => {
    const job = await jobs.current.start();
    await job.signal('changeDeadline', message);
    await job.signal(complete, completion());

    expect((await job.result()).status).toBe('completed');
  },
);

test('the next run of a job has its deadline, and a job without one has no field for it (spec 23.11)', async () => {
  const with_ = newJob();
  with_.cutoffAt = 5_000;
  expect(toNextRun(toNextRun(with_)).cutoffAt).toBe(5_000);
  expect(JSON.parse(JSON.stringify(newJob().snapshot()))).not.toHaveProperty('cutoff_at');
  const lifted = toNextRun(with_);
  lifted.cutoffAt = null;
  expect(JSON.parse(JSON.stringify(lifted.snapshot()))).not.toHaveProperty('cutoff_at');

  const job = await startWithDeadline(3_000, { soft_history_limit: 20 });
  await job.signal(llmCall, call('a'));
  await until(() => jobs.current.log.includes('callUpstream a'));
  const latest = jobs.current.client.workflow.getHandle(job.workflowId);
  const firstRun = (await latest.describe()).runId;
  for (const id of ['b', 'c', 'd']) {
    await latest.signal(llmCall, call(id));
    await until(() => jobs.current.log.includes(`callUpstream ${id}`));
  }
  const lastRun = (await latest.describe()).runId;
  const result = await latest.result();

  expect(lastRun).not.toBe(firstRun);
  expect(result).toMatchObject({ status: 'failed' });
  expect(jobs.current.log.at(-1)).toBe(exceeded);
});

test('a job whose deadline passes while no worker runs ends when one starts (spec 23.11)', async () => {
  const queue = someQueue();
  const cutoffAt = Date.now() + 200;
  const job = await jobs.current.start({ cutoffAt }, queue);
  await job.signal(llmCall, call('hangs-1'));
  await until(() => Date.now() > cutoffAt + 100);

  const later = await startJobs({ taskQueue: queue });
  later.recordedCutoff = cutoffAt;
  const { status } = await job.result();
  const { log } = later;
  await later.close();

  expect(status).toBe('failed');
  expect(log.at(-1)).toBe(exceeded);
}, 30_000);

test('a job without a deadline has the same history as before there were deadlines', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('a'));
  await until(() => jobs.current.log.includes('callUpstream a'));
  await job.signal(cancel, cancellation());
  await job.result();

  const { events } = await job.fetchHistory();

  expect(events!.filter((event) => event.markerRecordedEventAttributes)).toEqual([]);
  expect(events!.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
});
