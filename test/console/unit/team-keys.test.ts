import {
  isExpired,
  keyEffects,
  limitParts,
  toBody,
  toDraft,
} from '../../../console/src/pages/teams/detail/keys/key-draft.ts';

const zone = 'Europe/Berlin';
const key = {
  name: 'nightly',
  expires_at: '2030-01-31T00:00:30.000Z',
  credit_limit: 500,
  limit_reset: 'monthly' as const,
};
const before = toDraft(key, zone);

test('a key whose name was changed keeps its end with the seconds, its limit and its reset', () => {
  expect(toBody(before, { ...before, name: ' daily ' }, zone)).toEqual({ name: 'daily' });
});

test('an emptied end, limit and reset of a key are removed', () => {
  expect(toBody(before, { name: 'nightly', end: '', limit: ' ', reset: '' }, zone)).toEqual({
    expires_at: null,
    credit_limit: null,
    limit_reset: null,
  });
});

test('the end of a new key is a moment in the chosen zone, and what is no limit is sent as it was written', () => {
  const draft = { name: 'nightly', end: '2030-07-01T08:00', limit: 'many', reset: 'daily' };

  expect(toBody(toDraft(undefined, zone), draft, zone)).toEqual({
    name: 'nightly',
    expires_at: '2030-07-01T06:00:00.000Z',
    credit_limit: 'many',
    limit_reset: 'daily',
  });
});

test('a limit of 0 of a key is a limit', () => {
  expect(toBody(before, { ...before, limit: '0' }, zone)).toEqual({ credit_limit: 0 });
  expect(toDraft({ ...key, credit_limit: 0 }, zone).limit).toBe('0');
});

test('a changed key is shown with what it was, and an unchanged one with nothing', () => {
  expect(keyEffects(before, { name: 'daily', end: '', limit: '2000', reset: '' })).toEqual([
    { what: 'Name', before: 'nightly', after: 'daily' },
    { what: 'Refused from', before: '2030-01-31 01:00', after: 'never' },
    { what: 'Credit limit', before: '500', after: '2000' },
    { what: 'The credits count', before: 'So many a month', after: 'In all' },
  ]);
  expect(keyEffects(before, before)).toEqual([]);
});

test('a key is expired from the moment of its end on, and one without an end never', () => {
  const end = Date.parse(key.expires_at);

  expect([end - 1, end].map((now) => isExpired(key, now))).toEqual([false, true]);
  expect(isExpired({ expires_at: null }, end)).toBe(false);
});

test.each([
  ['half used', { credit_limit: 10, credits_used: 5, credits_held: 2 }, { used: 0.5, held: 0.2 }],
  ['exceeded', { credit_limit: 10, credits_used: 12, credits_held: 2 }, { used: 1, held: 0 }],
  ['nearly used', { credit_limit: 10, credits_used: 5, credits_held: 9 }, { used: 0.5, held: 0.5 }],
  ['below 0 after a refund', { credit_limit: 10, credits_used: -3, credits_held: 1 }, { used: 0, held: 0.1 }],
  ['of 0', { credit_limit: 0, credits_used: 0, credits_held: 0 }, { used: 1, held: 0 }],
])('the bar of a limit that is %s is not longer than the limit', (_, of, parts) => {
  expect(limitParts(of)).toEqual(parts);
});
