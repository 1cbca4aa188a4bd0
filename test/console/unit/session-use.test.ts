import { beginRequest, noteInput, usedAt } from '../../../console/src/api/session-use.ts';
import { checkInMs, leftMs, noteMsOf } from '../../../console/src/layout/idle-time.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

test('the first request after an input is a use of the session, those after it are not, and a change always is', () => {
  noteInput();

  const uses = ['GET', 'GET', 'POST', 'GET'].map((method) => beginRequest(method).isUse);

  expect(uses).toEqual([true, false, true, false]);
});

test('a request that was not answered is no use of the session, and the next one is', () => {
  noteInput();
  const before = usedAt();

  beginRequest('GET').lost();

  expect(usedAt()).toBe(before);
  expect(beginRequest('GET').isUse).toBe(true);
});

test('the time of the last use is that of the request that was answered', () => {
  const before = Date.now();
  noteInput();

  beginRequest('GET').answered();

  expect(usedAt()).toBeGreaterThanOrEqual(before);
});

test('a page locks itself earlier than the service ends a session whose last use it has noted one interval too early (spec 20.11)', () => {
  const [usedAtMs, notedAtMs] = [10 * hourMs, 10 * hourMs - noteMsOf(hourMs)];

  expect(leftMs(hourMs, usedAtMs, usedAtMs)).toBeLessThanOrEqual(notedAtMs + hourMs - usedAtMs);
  expect(leftMs(hourMs, usedAtMs, usedAtMs + 59 * minuteMs)).toBe(0);
  expect(noteMsOf(20_000)).toBe(2_000);
});

test.each(['24d', '25d', '30d', '3650d'])(
  'a page whose idle time is %s sets no timer that would end at once (spec 20.11)',
  (text) => {
    const idleMs = Number.parseInt(text, 10) * 24 * hourMs;
    const left = leftMs(idleMs, 0, 0);

    expect(checkInMs(left)).toBeGreaterThan(23 * 24 * hourMs);
    expect(checkInMs(left)).toBeLessThan(2 ** 31);
    expect(checkInMs(left)).toBeLessThanOrEqual(left);
  },
);
