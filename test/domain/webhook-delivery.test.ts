import { delayBefore, nextAttemptAt } from '../../src/domain/delivery-state.ts';

const created_at = new Date('2026-01-31T09:00:00Z');
const last = { started_at: new Date('2026-01-31T09:30:00Z'), latency_ms: 2_000, retry_after_ms: null };
const delays = [0, 5_000, 60_000];

test.each([
  ['is due at once before the first one', { attempts_of_schedule: 0 }, undefined, '2026-01-31T09:00:00.000Z'],
  ['is counted from the end of the last one', { attempts_of_schedule: 2 }, last, '2026-01-31T09:31:02.000Z'],
  ['is due at once where the schedule has begun again', { attempts_of_schedule: 0 }, last, '2026-01-31T09:30:02.000Z'],
])('the next attempt at a delivery %s', (_, delivery, attempt, expected) => {
  const next = nextAttemptAt({ status: 'pending', created_at, ...delivery }, attempt, delays);

  expect(next?.toISOString()).toBe(expected);
});

test('a delivery that has ended or has used its schedule up has no next attempt', () => {
  expect(nextAttemptAt({ status: 'exhausted', created_at, attempts_of_schedule: 1 }, last, delays)).toBeNull();
  expect(nextAttemptAt({ status: 'pending', created_at, attempts_of_schedule: 3 }, last, delays)).toBeNull();
});
const schedule = [0, 5_000, 300_000, 1_800_000];

test.each([
  ['is that of the schedule', 1, undefined, 5_000],
  ['is what the receiver asks for, if that is longer', 1, 14_000, 14_000],
  ['is that of the schedule, if the receiver asks for less', 1, 0, 5_000],
  ['is the next delay of the schedule, if the receiver asks for more', 1, 604_800_000, 300_000],
  ['is that of the schedule, if there is no next one', 3, 604_800_000, 1_800_000],
])('the delay before an attempt %s (spec 11.3)', (_, index, retryAfterMs, expected) => {
  expect(delayBefore(schedule, index, retryAfterMs)).toBe(expected);
});

test('the next attempt is due when the receiver permits it, unless the schedule has begun again', () => {
  const created_at = new Date(0);
  const last = { started_at: new Date(1_000), latency_ms: 500, retry_after_ms: 14_000 };
  const due = (attempts_of_schedule: number) =>
    nextAttemptAt({ status: 'pending', created_at, attempts_of_schedule }, last, schedule)?.getTime();

  expect([due(0), due(1), due(4)]).toEqual([1_500, 15_500, undefined]);
});
