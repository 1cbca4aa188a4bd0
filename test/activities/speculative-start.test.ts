import { setTimeout as pause } from 'node:timers/promises';
import { createSpeculativeStarts } from '../../activities/call-upstream/speculative-start.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import type { CallUpstreamResult } from '../../workflows/contract/activities.ts';
import { until } from '../support/until.ts';

const options = { trustedAfter: 3, doubtfulAfterMs: 60_000, discardAfterMs: 60_000 };

function watched(watchedOptions = options) {
  const metrics = createMetrics();
  const speculativeStarts = createSpeculativeStarts(metrics, watchedOptions);
  const started: string[] = [];
  const discarded: string[] = [];
  const results = new Map<string, Promise<CallUpstreamResult>>();
  const schedule = (callId: string) =>
    speculativeStarts.schedule(callId, () => {
      started.push(callId);
      const result = Promise.resolve({ error: null });
      results.set(callId, result);
      return { confirm: () => undefined, discard: () => void discarded.push(callId), result };
    });
  const confirm = (callId: string, workerAttempt = 1) =>
    speculativeStarts.confirm({
      input: { call_id: callId, job_started_at: 0 },
      workerAttempt,
      workflowId: 'job-1',
      cancellation: new AbortController().signal,
    });
  const scheduleAndConfirm = (callId: string) => {
    schedule(callId);
    return confirm(callId);
  };
  const earnTrust = () => ['a', 'b', 'c'].map(scheduleAndConfirm);
  return { metrics, speculativeStarts, started, discarded, results, schedule, confirm, scheduleAndConfirm, earnTrust };
}

test('calls start speculatively once enough of them in a row were confirmed to the worker that scheduled them', () => {
  const { started, results, scheduleAndConfirm, earnTrust } = watched();

  expect(earnTrust()).toEqual([undefined, undefined, undefined]);
  const result = scheduleAndConfirm('d');

  expect(started).toEqual(['d']);
  expect(result).toBe(results.get('d'));
});

test('a call that cannot start speculatively also counts as confirmed', () => {
  const { speculativeStarts, started, schedule, confirm } = watched();

  for (const callId of ['a', 'b', 'c']) {
    speculativeStarts.schedule(callId);
    confirm(callId);
  }
  schedule('d');

  expect(started).toEqual(['d']);
});

test('a call that is scheduled twice starts once', () => {
  const { started, schedule, earnTrust } = watched();
  earnTrust();

  schedule('d');
  schedule('d');

  expect(started).toEqual(['d']);
});

test('a second attempt discards the speculative start of the first, and no call starts speculatively after that', () => {
  const { started, discarded, schedule, confirm, earnTrust } = watched();
  earnTrust();
  schedule('d');

  expect(confirm('d', 2)).toBeUndefined();
  schedule('e');

  expect(discarded).toEqual(['d']);
  expect(started).toEqual(['d']);
});

test('while the confirmation of a call is late, no other call starts speculatively', async () => {
  const { started, schedule, confirm, earnTrust } = watched({ ...options, doubtfulAfterMs: 20 });
  earnTrust();
  schedule('d');

  await pause(40);
  schedule('e');
  confirm('d');
  confirm('e');
  schedule('f');

  expect(started).toEqual(['d', 'f']);
});

test('a call that is not confirmed in time is discarded, and no call starts speculatively after that', async () => {
  const { started, discarded, schedule, confirm, earnTrust } = watched({ ...options, discardAfterMs: 20 });
  earnTrust();
  schedule('d');

  await until(() => discarded.length > 0);
  schedule('e');

  expect(discarded).toEqual(['d']);
  expect(started).toEqual(['d']);
  expect(confirm('d')).toBeUndefined();
});

test('a worker that shuts down starts no call speculatively, and confirms those that it has started', () => {
  const { speculativeStarts, started, results, schedule, confirm, earnTrust } = watched();
  earnTrust();
  schedule('d');

  speculativeStarts.close();
  schedule('e');

  expect(started).toEqual(['d']);
  expect(confirm('d')).toBe(results.get('d'));
});

test('the metric counts the speculative starts that were confirmed and discarded, and no other call', async () => {
  const { metrics, schedule, confirm, scheduleAndConfirm, earnTrust } = watched();
  earnTrust();

  scheduleAndConfirm('d');
  scheduleAndConfirm('e');
  schedule('f');
  confirm('f', 2);

  const { values } = await metrics.speculativeStarts.get();
  expect(values).toMatchObject([
    { labels: { outcome: 'confirmed' }, value: 2 },
    { labels: { outcome: 'discarded' }, value: 1 },
  ]);
});
