import { setTimeout as pause } from 'node:timers/promises';
import type { EarlyAnswer } from '../../activities/call-upstream/early-answer.ts';
import { createSpeculativeStarts } from '../../activities/call-upstream/speculative-start.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { until } from '../support/until.ts';

const options = {
  mostAtOnce: 100,
  trustedAfter: 3,
  doubtfulAfterMs: 60_000,
  discardAfterMs: 60_000,
};

function watched(watchedOptions = options) {
  const metrics = createMetrics('worker');
  const starts = createSpeculativeStarts(metrics, watchedOptions);
  const requested: string[] = [];
  const discarded: string[] = [];
  const answers = new Map<string, EarlyAnswer>();
  const expected = (callId: string) =>
    starts.expect(callId, async () => {
      requested.push(callId);
      const answer = { discard: () => void discarded.push(callId) } as EarlyAnswer;
      answers.set(callId, answer);
      return answer;
    });
  const take = (callId: string, workerAttempt = 1) => starts.take(callId, workerAttempt);
  const expectAndTake = (callId: string) => {
    expected(callId);
    return take(callId);
  };
  const earnTrust = () => Promise.all(['a', 'b', 'c'].map(expectAndTake));
  return { metrics, starts, requested, discarded, answers, expected, take, expectAndTake, earnTrust };
}

test('answers are requested early once enough expected calls in a row were given to the worker', async () => {
  const { requested, answers, expectAndTake, earnTrust } = watched();

  expect(await earnTrust()).toEqual([undefined, undefined, undefined]);
  const taken = await expectAndTake('d');

  expect(requested).toEqual(['d']);
  expect(taken).toBe(answers.get('d'));
});

test('the answer to a call that is expected twice, or was given to the worker before its notice, is not requested again', async () => {
  const { requested, expected, take, earnTrust } = watched();
  await earnTrust();

  expected('d');
  expected('d');
  await take('e');
  expected('e');

  expect(requested).toEqual(['d']);
});

test('a second attempt discards the answer that was requested for the first, and no other is requested early after that', async () => {
  const { requested, discarded, expected, take, earnTrust } = watched();
  await earnTrust();
  expected('d');

  expect(await take('d', 2)).toBeUndefined();
  expected('e');

  expect(discarded).toEqual(['d']);
  expect(requested).toEqual(['d']);
});

test('while a call is late, no other is requested early', async () => {
  const { requested, expected, take, earnTrust } = watched({ ...options, doubtfulAfterMs: 20 });
  await earnTrust();
  expected('d');

  await pause(40);
  expected('e');
  await take('d');
  await take('e');
  expected('f');

  expect(requested).toEqual(['d', 'f']);
});

test('an answer that another worker requests neither counts nor delays the shutdown', async () => {
  const { starts, requested, expected, earnTrust } = watched();
  await earnTrust();
  starts.expect('d', async () => undefined);

  await starts.close();
  expected('e');

  expect(requested).toEqual([]);
});

test('beyond the most that may be on their way at once, no answer is requested early', async () => {
  const { requested, expected, take, earnTrust } = watched({ ...options, mostAtOnce: 2 });
  await earnTrust();

  for (const callId of ['d', 'e', 'f']) expected(callId);
  await take('d');
  await take('e');
  expected('g');

  expect(requested).toEqual(['d', 'e', 'g']);
});

test('an answer that is not taken in time is discarded, and no other is requested early after that', async () => {
  const { requested, discarded, expected, take, earnTrust } = watched({ ...options, discardAfterMs: 20 });
  await earnTrust();
  expected('d');

  await until(() => discarded.length > 0);
  expected('e');

  expect(discarded).toEqual(['d']);
  expect(requested).toEqual(['d']);
  expect(await take('d')).toBeUndefined();
});

test('a call that its job refuses discards its answer, and others are requested early all the same', async () => {
  const { starts, requested, discarded, expected, earnTrust } = watched();
  await earnTrust();
  expected('d');

  starts.discard('d');
  expected('e');

  await until(() => discarded.length > 0);
  expect(discarded).toEqual(['d']);
  expect(requested).toEqual(['d', 'e']);
});

test('a worker that shuts down requests no answer early, and accepts activities until those that it has requested are taken', async () => {
  const { starts, requested, answers, expected, take, earnTrust } = watched();
  await earnTrust();
  expected('d');

  let isClosed = false;
  const closing = starts.close().then(() => {
    isClosed = true;
  });
  expected('e');
  await pause(40);

  expect(requested).toEqual(['d']);
  expect(isClosed).toBe(false);
  expect(await take('d')).toBe(answers.get('d'));
  await closing;
});

test('the metric counts the answers that were taken and discarded, and no other call', async () => {
  const { metrics, expected, take, expectAndTake, earnTrust } = watched();
  await earnTrust();

  await expectAndTake('d');
  await expectAndTake('e');
  expected('f');
  await take('f', 2);

  const { values } = await metrics.speculativeStarts.get();
  expect(values).toMatchObject([
    { labels: { outcome: 'confirmed' }, value: 2 },
    { labels: { outcome: 'discarded' }, value: 1 },
  ]);
});
