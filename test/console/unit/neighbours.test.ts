import type { Job, JobList } from '../../../console/src/api/types.ts';
import {
  findNeighbour,
  type JobPosition,
  queryFrom,
  type Step,
} from '../../../console/src/pages/jobs/receipt/neighbours/find-neighbour.ts';

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00.000Z`;
/** The newest first, and of one moment the lowest id first: as the service sorts. */
const jobs: JobPosition[] = [
  { job_id: 'e', created_at: day(9) },
  { job_id: 'b', created_at: day(5) },
  { job_id: 'c', created_at: day(5) },
  { job_id: 'd', created_at: day(5) },
  { job_id: 'a', created_at: day(1) },
];
const list = { from: day(1), to: day(20) };

/** The list as the service answers it, `size` jobs a page. */
const readerOf =
  (size: number, read: unknown[] = []) =>
  async (filters: Record<string, unknown>, cursor: string): Promise<JobList> => {
    read.push(filters);
    const inOrder = filters.order === 'asc' ? jobs.toReversed() : jobs;
    const matching = inOrder.filter(
      ({ created_at }) => created_at >= String(filters.start_date) && created_at <= String(filters.end_date),
    );
    const start = Number(cursor || 0);
    const next = start + size < matching.length ? String(start + size) : null;
    return {
      jobs: matching.slice(start, start + size) as Job[],
      next_cursor: next,
      total: null,
      limit: size,
      offset: 0,
    };
  };

const walk = async (step: Step, order: 'oldest' | undefined, size: number): Promise<string[]> => {
  const inOrder = order === 'oldest' ? jobs.toReversed() : jobs;
  const passed: string[] = [];
  let job: JobPosition | undefined = step === 'next' ? inOrder[0] : inOrder.at(-1);
  while (job) {
    passed.push(job.job_id);
    const found = await findNeighbour({ job, list: { ...list, order }, step, maxPages: 10 }, readerOf(size));
    job = jobs.find(({ job_id }) => job_id === found.jobId);
  }
  return passed;
};

test.each([1, 2, 100])(
  'next and previous pass each job of the list once in its order, with pages of %p and jobs of one moment (spec 20.9)',
  async (size) => {
    expect(await walk('next', undefined, size)).toEqual(['e', 'b', 'c', 'd', 'a']);
    expect(await walk('previous', undefined, size)).toEqual(['a', 'd', 'c', 'b', 'e']);
    expect(await walk('next', 'oldest', size)).toEqual(['a', 'd', 'c', 'b', 'e']);
    expect(await walk('previous', 'oldest', size)).toEqual(['e', 'b', 'c', 'd', 'a']);
  },
);

test('the neighbours of a job that is not in the list any more are those between which it was', async () => {
  const gone = { job_id: 'cc', created_at: day(5) };
  const find = (step: Step) => findNeighbour({ job: gone, list, step, maxPages: 10 }, readerOf(2));

  expect(await find('next')).toEqual({ jobId: 'd' });
  expect(await find('previous')).toEqual({ jobId: 'c' });
});

test('a search reads no page before the job, stops after the given pages, and goes on where it stopped', async () => {
  const read: { end_date?: unknown }[] = [];
  const search = { job: jobs[1]!, list, step: 'next' as const, maxPages: 1 };

  const stopped = await findNeighbour(search, readerOf(1, read));
  const found = await findNeighbour({ ...search, cursor: stopped.cursor }, readerOf(1, read));

  expect(stopped).toEqual({ cursor: '1' });
  expect(found).toEqual({ jobId: 'c' });
  expect(read.map(({ end_date }) => end_date)).toEqual([day(5), day(5)]);
});

test('beyond the range of the list a job has neighbours on one side only, and nothing is requested for the other', () => {
  const range = { from: day(3), to: '2026-11-06' };
  const [older, newer] = [
    { job_id: 'a', created_at: day(1) },
    { job_id: 'e', created_at: day(9) },
  ];

  expect(queryFrom(older, range, 'next')).toBeUndefined();
  expect(queryFrom(older, range, 'previous')).toMatchObject({
    start_date: day(3),
    end_date: '2026-11-06T23:59:59.999Z',
  });
  expect(queryFrom(newer, range, 'previous')).toBeUndefined();
  expect(queryFrom(newer, range, 'next')).toMatchObject({ start_date: day(3), end_date: '2026-11-06T23:59:59.999Z' });
  expect(queryFrom({ job_id: 'x', created_at: '2026-11-06T12:00:00.000Z' }, range, 'previous')).toBeDefined();
});
