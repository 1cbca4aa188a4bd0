import { isTurnSeconds, jobEndPattern, requestedEnd } from '../../src/domain/job-end.ts';

test.each([
  ['call', { jobEnd: 'call' }],
  ['answer', { jobEnd: 'answer' }],
  ['turn', { turnSeconds: 10 }],
  ['turn=1', { turnSeconds: 1 }],
  ['turn=99', { turnSeconds: 99 }],
  ['turn=2999', { turnSeconds: 2_999 }],
  ['turn=3600', { turnSeconds: 3_600 }],
])('X-Job-End: %s requests the end %j (spec 27.3)', (text, end) => {
  expect(jobEndPattern.test(text)).toBe(true);
  expect(requestedEnd(text, 10)).toEqual(end);
});

test.each([
  '',
  'Turn',
  'turn=',
  'turn=0',
  'turn=01',
  'turn=3601',
  'turn=10000',
  'turn=-1',
  'turn=1.5',
  'turn=1s',
  'turn 5',
  'answer=5',
  'none',
])('X-Job-End: %j is refused (spec 27.3)', (text) => {
  expect(jobEndPattern.test(text)).toBe(false);
});

test('the seconds of a turn are a whole number from 1 to 3,600', () => {
  expect([1, 3_600].every(isTurnSeconds)).toBe(true);
  expect([0, 3_601, 1.5, -1, '10', null, Number.NaN].some(isTurnSeconds)).toBe(false);
});
