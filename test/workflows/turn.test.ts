import { type History, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { complete, llmCall, updateMetadata } from '../../workflows/contract/messages.ts';
import type { JobState } from '../../workflows/job/job-workflow-state.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { call, completion } from './job-signals.ts';
import { completed, newJob, toNextRun } from './new-job.ts';
import { type JobHandle, jobsForTests } from './start-jobs.ts';

const jobs = jobsForTests();
const ofTurn = (call_id: string, turn_seconds = 1) => ({ ...call(call_id), turn_seconds });
const answered = { error: null };

/** Makes a call at one time and ends it at another. */
function make(
  job: JobState,
  of: ReturnType<typeof ofTurn>,
  end: Parameters<JobState['callEnded']>[1],
  at: number,
): void {
  job.admit(of, at);
  job.callEnded(of, end, at + 100);
}

test('a turn is over so many seconds after the end of its last call, and begins anew with each call (spec 27.3)', () => {
  const job = newJob();
  expect(job.turn.endsAt).toBeNull();

  make(job, ofTurn('a', 5), answered, 2_000);
  expect(job.turn.endsAt).toBe(2_100 + 5_000);
  job.admit(ofTurn('b', 5), 3_000);
  expect(job.turn.endsAt).toBeNull();
  job.callEnded(ofTurn('b', 5), answered, 4_000);
  expect(job.turn.endsAt).toBe(9_000);
  job.endTurn();

  expect(job.end).toEqual({ ...completed, ended_by: 'call' });
});

test.each<[string, Parameters<JobState['callEnded']>[1]]>([
  ['failed', { error: 'the model failed' }],
  ['has tool calls', { error: null, has_tool_calls: true }],
])('a turn whose last call %s is not at its end (spec 27.3)', (_, end) => {
  const job = newJob();
  make(job, ofTurn('a'), answered, 2_000);

  make(job, ofTurn('b'), end, 2_500);

  expect(job.turn.endsAt).toBeNull();
});

test('a turn is not over while another of its calls runs, whichever began first (spec 27.3)', () => {
  const job = newJob();
  job.admit(ofTurn('main'), 2_000);
  job.admit(ofTurn('agent'), 2_010);

  job.callEnded(ofTurn('main'), answered, 3_000);
  expect(job.turn.endsAt).toBeNull();
  job.callEnded(ofTurn('agent'), answered, 9_000);

  expect(job.turn.endsAt).toBe(10_000);
});

test('the value of the newest call counts, also when it has ended first, and that of an ended run; a retracted call has none (spec 27.3)', () => {
  const job = newJob();
  job.admit(ofTurn('a', 50), 2_000);
  job.admit(ofTurn('b', 2), 2_010);
  job.callEnded(ofTurn('b', 2), answered, 3_000);
  job.callEnded(ofTurn('a', 50), answered, 4_000);
  expect(job.turn.endsAt).toBe(6_000);

  make(job, ofTurn('c', 30), { error: 'unavailable', retracted: true }, 4_500);
  expect(job.turn.endsAt).toBe(4_600 + 2_000);
  const next = toNextRun(job);
  expect(next.turn.endsAt).toBe(4_600 + 2_000);
  next.admit(call('d'), 5_000);
  next.callEnded(call('d'), answered, 5_100);

  expect(next.turn.endsAt).toBe(5_100 + 2_000);
});

test('a run that begins with deferred calls of a turn is not at its end (spec 27.3)', () => {
  const job = newJob();
  make(job, ofTurn('a'), answered, 2_000);
  job.admit(ofTurn('b', 7), 2_500);
  job.defer(ofTurn('b', 7));
  const next = toNextRun(job);

  expect(next.turn.endsAt).toBeNull();
  next.callEnded(ofTurn('b', 7), answered, 3_000);
  expect(next.turn.endsAt).toBe(10_000);
});

test('a job without a turn has no field for it in its next run', () => {
  const job = newJob();
  job.admit(call('a'), 2_000);
  job.callEnded(call('a'), answered, 2_001);

  expect(JSON.stringify(job.snapshot())).not.toContain('turn');
});

const eventsOf = async (job: JobHandle) => (await job.fetchHistory()).events ?? [];
const countOf = (events: Awaited<ReturnType<typeof eventsOf>>, attributes: string) =>
  events.filter((event) => event[attributes as keyof typeof event]).length;

test('a job is completed a second after the last call of its turn, and a call in between delays that (spec 27.3)', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, ofTurn('title', 60));
  await until(async () => countOf(await eventsOf(job), 'timerStartedEventAttributes') === 2);
  await job.signal(llmCall, ofTurn('tool-1'));
  await job.signal(llmCall, ofTurn('slower-agent'));
  await until(() => jobs.current.log.includes('callUpstream slower-agent'));
  const endedAt = Date.now();

  const { status } = await job.result();

  expect(status).toBe('completed');
  // The end was seen up to a quarter of a second late.
  expect(Date.now() - endedAt).toBeGreaterThan(600);
  expect(jobs.current.log.at(-1)).toBe('settleJob completed');
  const events = await eventsOf(job);
  // That of the idle time, one after the title, which the next call cancels, and one after the last call.
  expect(countOf(events, 'timerStartedEventAttributes')).toBe(3);
  expect(countOf(events, 'timerFiredEventAttributes')).toBe(1);
});

test('what a turn adds to a job of one call is a marker, the search attribute of that, a timer and a workflow task', async () => {
  const length = async (job: JobHandle) => (await eventsOf(job)).length;
  const [ending, turn] = await Promise.all([jobs.current.start(), jobs.current.start()]);
  for (const job of [ending, turn])
    await until(async () => countOf(await eventsOf(job), 'timerStartedEventAttributes') === 1);
  await ending.signal(llmCall, { ...call('a'), end_job: 'answer' });
  await turn.signal(llmCall, ofTurn('b'));
  await Promise.all([ending.result(), turn.result()]);

  // Two for the timer and three for the task; two once a run for the version of the code.
  expect((await length(turn)) - (await length(ending))).toBe(7);
});

test('a completion in the settle time of a turn ends the job at once, and a call after it is refused (spec 27.3)', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, ofTurn('a', 3_600));
  await until(() => jobs.current.log.includes('callUpstream a'));

  await job.signal(complete, completion());

  expect((await job.result()).status).toBe('completed');
});

test('a change of metadata does not delay the end of a turn, which a later run takes over (spec 27.3)', async () => {
  const job = await jobs.current.start({ soft_history_limit: 5 });
  const { runId } = await job.describe();
  await job.signal(llmCall, ofTurn('a', 2));
  await until(() => jobs.current.log.includes('callUpstream a'));
  await until(async () => (await job.describe()).runId !== runId);
  await job.signal(updateMetadata, { command_id: 'one', metadata: { a: 1 } });

  expect((await job.result()).status).toBe('completed');
});

test('a call that comes while the workflow settles a job at the end of its turn is refused (spec 27.3)', () => {
  const job = newJob();
  make(job, ofTurn('a'), answered, 2_000);
  job.endTurn();

  expect(job.admit(ofTurn('b'), 3_100)).toBe('refuse');
});

test.each([0, 3_601, 1.5, '10'])('a signal with the turn_seconds %j is ignored', async (turn_seconds) => {
  const job = await jobs.current.start();
  await job.signal('llmCall', { ...call('a'), turn_seconds });
  await job.signal(complete, completion());
  await job.result();

  expect(jobs.current.log).toEqual(['settleJob completed']);
});

const wanted = Buffer.from(JSON.stringify(ofTurn('a'))).toString('base64');

/** What a worker before turns leaves of calls that want one: it ignores `turn_seconds`. */
function asCallsOfTurn(history: History): unknown {
  return JSON.parse(historyToJSON(history), (key, value) =>
    key === 'workflowExecutionSignaledEventAttributes' && value.signalName === 'llmCall'
      ? { ...value, input: { payloads: [{ ...value.input.payloads[0], data: wanted }] } }
      : value,
  );
}

test('a run whose turn a worker of an earlier version has passed over replays', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('a'));
  await until(async () => {
    const events = await eventsOf(job);
    return (
      countOf(events, 'activityTaskCompletedEventAttributes') > 0 &&
      Boolean(events.at(-1)?.workflowTaskCompletedEventAttributes)
    );
  });
  await job.signal(complete, completion());
  await job.result();
  const history = asCallsOfTurn(await job.fetchHistory());

  const replays = Worker.runReplayHistories({ workflowBundle: { codePath: services.workflowBundlePath } }, [
    { workflowId: job.workflowId, history },
  ]);

  expect(JSON.stringify(history).includes(wanted)).toBe(true);
  for await (const { error } of replays) expect(error).toBeUndefined();
});
