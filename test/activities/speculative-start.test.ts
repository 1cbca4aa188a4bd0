import { setTimeout as pause } from 'node:timers/promises';
import type { CallAttempt } from '../../activities/call-upstream/call-attempt.ts';
import { createSpeculativeStarts } from '../../activities/call-upstream/speculative-start.ts';
import { until } from '../support/until.ts';

const trust = { trustedAfter: 3, doubtfulAfterMs: 60_000, lostAfterMs: 60_000 };

function watched(howMuch = trust) {
  const speculativeStarts = createSpeculativeStarts(howMuch);
  const begun: string[] = [];
  const lost: string[] = [];
  const attempts = new Map<string, CallAttempt>();
  const decide = (callId: string) =>
    speculativeStarts.decided(callId, () => {
      begun.push(callId);
      const attempt = {
        give: () => undefined,
        lose: () => void lost.push(callId),
        result: Promise.resolve({ error: null }),
      };
      attempts.set(callId, attempt);
      return attempt;
    });
  const come = (callId: string) => {
    decide(callId);
    return speculativeStarts.given(callId, 1);
  };
  const earnTrust = () => ['a', 'b', 'c'].map(come);
  return { speculativeStarts, begun, lost, attempts, decide, come, earnTrust };
}

test('calls get a head start once enough of them in a row came to the worker that decided on them', () => {
  const { begun, attempts, come, earnTrust } = watched();

  expect(earnTrust()).toEqual([undefined, undefined, undefined]);
  const given = come('d');

  expect(begun).toEqual(['d']);
  expect(given).toBe(attempts.get('d'));
});

test('a call that cannot have a head start counts as one that came', () => {
  const { speculativeStarts, begun, decide } = watched();

  for (const callId of ['a', 'b', 'c']) {
    speculativeStarts.decided(callId);
    speculativeStarts.given(callId, 1);
  }
  decide('d');

  expect(begun).toEqual(['d']);
});

test('a call that was decided on twice begins once', () => {
  const { begun, decide, earnTrust } = watched();
  earnTrust();

  decide('d');
  decide('d');

  expect(begun).toEqual(['d']);
});

test('another attempt than the first takes nothing over, and costs the trust', () => {
  const { speculativeStarts, begun, lost, decide, earnTrust } = watched();
  earnTrust();
  decide('d');

  expect(speculativeStarts.given('d', 2)).toBeUndefined();
  decide('e');

  expect(lost).toEqual(['d']);
  expect(begun).toEqual(['d']);
});

test('while a call has been out for long, no other gets a head start', async () => {
  const { speculativeStarts, begun, decide, earnTrust } = watched({ ...trust, doubtfulAfterMs: 20 });
  earnTrust();
  decide('d');

  await pause(40);
  decide('e');
  speculativeStarts.given('d', 1);
  speculativeStarts.given('e', 1);
  decide('f');

  expect(begun).toEqual(['d', 'f']);
});

test('a call that does not come is lost, and costs the trust', async () => {
  const { speculativeStarts, begun, lost, decide, earnTrust } = watched({ ...trust, lostAfterMs: 20 });
  earnTrust();
  decide('d');

  await until(() => lost.length > 0);
  decide('e');

  expect(lost).toEqual(['d']);
  expect(begun).toEqual(['d']);
  expect(speculativeStarts.given('d', 1)).toBeUndefined();
});

test('a worker that takes no new work begins nothing early, and goes on with what it has begun', () => {
  const { speculativeStarts, begun, attempts, decide, earnTrust } = watched();
  earnTrust();
  decide('d');

  speculativeStarts.close();
  decide('e');

  expect(begun).toEqual(['d']);
  expect(speculativeStarts.given('d', 1)).toBe(attempts.get('d'));
});
