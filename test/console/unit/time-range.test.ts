import { keepRange, ofLastDays, rangeWith, sinceDayOf } from '../../../console/src/url/time-range.ts';

const now = Date.parse('2026-11-25T00:00:00.000Z');

test('a link from a row keeps a range that has the row, and else has one that begins with it', () => {
  const inWeek = '2026-11-20T10:00:00.000Z';
  const older = '2026-10-01T10:00:00.000Z';
  const beginsWithOlder = { from: older, to: undefined };

  expect(rangeWith({ range: '7d' }, inWeek, now)).toEqual({ range: '7d' });
  expect(rangeWith({}, inWeek, now)).toEqual({});
  expect(rangeWith({ range: '7d' }, older, now)).toEqual(beginsWithOlder);
  expect(rangeWith({}, older, now)).toEqual(beginsWithOlder);
  expect(rangeWith({ from: '2026-09-01', to: '2026-10-01' }, older, now)).toEqual({
    from: '2026-09-01',
    to: '2026-10-01',
  });
  expect(rangeWith({ from: '2026-09-01', to: '2026-09-30' }, older, now)).toEqual(beginsWithOlder);
});

const part = { from: '2026-11-01', to: '2026-11-02' };

test.each([
  ['a link without a range keeps a relative one', { range: '30d' }, {}, { range: '30d' }],
  ['a link without a range keeps a fixed one that was chosen', part, {}, part],
  [
    'a link without a range leaves the part that another link has shown',
    { range: '30d', ...part },
    {},
    { range: '30d' },
  ],
  ['a link to a part keeps the range that was chosen', { range: '30d' }, part, { range: '30d' }],
  ['a link to a part keeps the range that is the default', {}, part, { range: '7d' }],
  ['a link to a part of a fixed range replaces it', { from: '2026-01-01' }, part, { range: undefined }],
  ['a range that is chosen takes the place of any other', { range: '30d', ...part }, { range: '7d' }, {}],
  [
    'a fixed range that is chosen takes the place of a relative one',
    { range: '30d' },
    { range: undefined, ...part },
    {},
  ],
] as const)('%s', (_, page, link, kept) => {
  expect(keepRange(page, link)).toEqual(kept);
});

test('a link to all of a thing begins with the day of its creation, and one to the last days counts the present one', () => {
  expect(sinceDayOf('2026-10-01T10:00:00.000Z')).toEqual({ from: '2026-10-01' });
  expect(ofLastDays(90, now)).toEqual({ from: '2026-08-28' });
});
