import { nextAttemptAt } from '../../src/domain/delivery-state.ts';

const created_at = new Date('2026-01-31T09:00:00Z');
const last = { started_at: new Date('2026-01-31T09:30:00Z'), latency_ms: 2_000 };
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
