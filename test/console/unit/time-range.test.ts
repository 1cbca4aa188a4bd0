import { rangeWith } from '../../../console/src/url/time-range.ts';

const now = Date.parse('2026-11-25T00:00:00.000Z');

test('a link from a row keeps a range that has the row, and else has one that begins with it', () => {
  const inWeek = '2026-11-20T10:00:00.000Z';
  const older = '2026-10-01T10:00:00.000Z';
  const beginsWithOlder = { range: undefined, from: older, to: undefined };

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
