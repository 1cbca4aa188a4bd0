import type { Job, JobList, JobStatus } from '../../../console/src/api/types.ts';
import {
  findNewestPage,
  mergePage,
  newerThan,
  type Pages,
  pagesToRead,
  patchStatuses,
  trailingEmpty,
} from '../../../console/src/pages/jobs/list/job-pages.ts';

const job = (id: string, created: number, status: JobStatus = 'completed') =>
  ({ job_id: id, created_at: `2026-11-25T00:00:0${created}.000Z`, status }) as Job;
const pagesOf = (pages: Job[][], isWhole = true): Pages => ({
  pages: pages.map((jobs, index) => {
    const next_cursor = isWhole && index === pages.length - 1 ? null : `after ${index}`;
    return { jobs, next_cursor, total: null, limit: 2, offset: 0 } satisfies JobList;
  }),
  pageParams: pages.map((_, index) => (index === 0 ? '' : `after ${index - 1}`)),
});

test('the state of an event is set in its row, and rows that do not change stay the same objects', () => {
  const before = pagesOf([[job('a', 2, 'in_progress'), job('b', 1)], [job('c', 0)]]);

  const after = patchStatuses(before, [
    { job_id: 'a', status: 'failed' },
    { job_id: 'elsewhere', status: 'failed' },
  ]);

  expect(after.pages[0]!.jobs[0]).toMatchObject({ job_id: 'a', status: 'failed' });
  expect(after.pages[0]!.jobs[1]).toBe(before.pages[0]!.jobs[1]);
  expect(after.pages[1]).toBe(before.pages[1]);
});

test('a page that is read again changes its rows in their places and adds none', () => {
  const before = pagesOf([[job('b', 2, 'in_progress'), job('a', 1)]]);

  const after = mergePage(before, 0, [job('c', 3), job('b', 2)]);

  expect(after.pages[0]!.jobs.map(({ job_id, status }) => [job_id, status])).toEqual([
    ['b', 'completed'],
    ['a', 'completed'],
  ]);
});

test('newer jobs are counted against all that is shown, in the page in which they appear', () => {
  const newestFirst = pagesOf([[job('b', 2)], [job('a', 1)]]);
  const oldestFirst = pagesOf([[job('a', 1)], [job('b', 2)]]);

  expect(newerThan(newestFirst, [job('d', 4), job('c', 2), job('b', 2), job('0', 0)])).toBe(2);
  expect(newerThan(oldestFirst, [job('b', 2), job('c', 3)])).toBe(1);
  expect(findNewestPage(newestFirst, undefined)).toBe(0);
  expect(findNewestPage(oldestFirst, 'oldest')).toBe(1);
  expect(findNewestPage(pagesOf([[job('a', 1)]], false), 'oldest')).toBeUndefined();
});

test('only pages with an unfinished row on the screen are read again, beside the one of newer jobs (spec 20.7)', () => {
  const pages = pagesOf([
    [job('f', 6), job('e', 5)],
    [job('d', 4, 'pending'), job('c', 3)],
    [job('b', 2), job('a', 1, 'in_progress')],
  ]);

  expect(pagesToRead(pages, [0, 1], 0)).toEqual([0]);
  expect(pagesToRead(pages, [1, 3], 0)).toEqual([0, 1]);
  expect(pagesToRead(pages, [3, 4], undefined)).toEqual([]);
  expect(pagesToRead(pages, [3, 5], undefined)).toEqual([2]);
});

test('pages without a match are counted from the end of what was read', () => {
  expect(trailingEmpty(undefined)).toBe(0);
  expect(trailingEmpty(pagesOf([[], []], false))).toBe(2);
  expect(trailingEmpty(pagesOf([[job('a', 1)], [], []], false))).toBe(2);
  expect(trailingEmpty(pagesOf([[], [job('a', 1)]], false))).toBe(0);
});
