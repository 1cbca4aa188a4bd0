import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { listReading, type PagesOf, withPage } from '../../../console/src/api/lists.ts';

interface Row {
  id: string;
  state: string;
}

const row = (id: string, state = 'pending'): Row => ({ id, state });
const pageOf = (rows: Row[], next: string | null, total = 3) => ({ rows, next, total, whole: { total } });

/** A list of three pages that is loaded, and the positions that were requested. */
async function givenLoadedList() {
  const requested: string[] = [];
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: ({ pageParam }) => {
      requested.push(pageParam);
      return pageOf([row(`row ${pageParam}`)], pageParam === '2' ? null : String(Number(pageParam) + 1));
    },
    initialPageParam: '0',
    getNextPageParam: ({ next }) => next,
    ...listReading,
  });
  const end = observer.subscribe(() => undefined);
  await observer.refetch({ cancelRefetch: false });
  for (let page = 1; page < 3; page++) await observer.fetchNextPage();
  const pages = () => observer.getCurrentResult().data?.pages.length;
  return { client, observer, requested, pages, end };
}

test('a list that is read again, or of which something has changed, requests its first page only', async () => {
  const { client, observer, requested, pages, end } = await givenLoadedList();
  const before = [...requested];

  await observer.refetch();
  const pagesAfterRefresh = pages();
  await observer.fetchNextPage();
  await client.invalidateQueries();
  end();
  client.clear();

  expect(before).toEqual(['0', '1', '2']);
  expect(requested.slice(3)).toEqual(['0', '1', '0']);
  expect(pagesAfterRefresh).toBe(1);
  expect(pages()).toBe(1);
});

test('a list with rows is not read again when the window is focused or the network is back, and one without is', () => {
  const [read, unread] = [{ state: { data: {} } }, { state: { data: undefined } }];

  expect([listReading.refetchOnWindowFocus(read), listReading.refetchOnReconnect(read)]).toEqual([false, false]);
  expect([listReading.refetchOnWindowFocus(unread), listReading.refetchOnReconnect(unread)]).toEqual([true, true]);
});

test('a page that is read again changes its rows in their places, takes none in, and has the new sums', () => {
  const data: PagesOf<Row, { total: number }> = {
    pages: [pageOf([row('a'), row('b')], 'after b'), pageOf([row('c')], null)],
    pageParams: ['', 'after b'],
  };

  const after = withPage(data, 0, pageOf([row('new'), row('a', 'delivered')], 'after a', 4), ({ id }) => id);

  expect(after.pages[0]).toEqual(pageOf([row('a', 'delivered'), row('b')], 'after b', 4));
  expect(after.pages[1]).toBe(data.pages[1]);
});
