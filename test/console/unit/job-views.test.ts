import { builtInViews } from '../../../console/src/pages/jobs/list/views/built-in-views.ts';
import {
  readView,
  renamed,
  viewUrl,
  withoutView,
  withView,
} from '../../../console/src/pages/jobs/list/views/saved-views.ts';

test('a view keeps the filters, the order and the range of a list, also the default one, and nothing else (spec 20.6)', () => {
  const list = { status: ['failed', 'cancelled'], metadata: ['a=b&c=d'], order: 'oldest' as const };

  const url = viewUrl({ ...list, ...{ open: 'a job', item: 'a call' } });

  expect(readView(url)).toMatchObject({ ...list, range: '7d' });
  expect(url).not.toContain('open');
  expect(url).not.toContain('item');
  expect(viewUrl(readView(url))).toBe(url);
});

test('a stored view with what is not understood shows the rest of it', () => {
  expect(readView('?status=burnt&team=t1&range=century')).toMatchObject({
    status: undefined,
    team: 't1',
    range: undefined,
  });
});

test('a view that is saved or renamed takes the place of one of the same name', () => {
  const views = [
    { name: 'a', url: '?q=1' },
    { name: 'b', url: '?q=2' },
  ];

  expect(withView(views, { name: 'a', url: '?q=3' })).toEqual([{ name: 'a', url: '?q=3' }, views[1]]);
  expect(withView(views, { name: 'c', url: '?q=3' })).toHaveLength(3);
  expect(renamed(views, 'a', 'b')).toEqual([{ name: 'b', url: '?q=1' }]);
  expect(renamed(views, 'a', 'a')).toEqual(views);
  expect(withoutView(views, 'a')).toEqual([views[1]]);
});

test('the view of today is a range that goes on with the days', () => {
  expect(readView(builtInViews[0]!.url)).toMatchObject({ status: ['failed'], range: 'today', from: undefined });
});
