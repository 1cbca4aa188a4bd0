import { sumJobs } from '../../src/db/jobs/sum-jobs.ts';
import { dayMs } from '../../src/domain/time/buckets.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { recordJob, recordTeam } from '../support/given-record.ts';

const { database } = await databaseForTests();
const today = Math.floor(Date.now() / dayMs) * dayMs;
const at = (daysAgo: number) => new Date(today - daysAgo * dayMs + 3_600_000);
const call = { tokens: 10, cost_usd: '0.1' };

/** Three ended jobs and an open one, a day apart, with one, two, one and one call. */
beforeAll(async () => {
  await recordTeam(database, 'acme', 'acme-one', 1_000);
  await recordJob(database, { team: 'acme-one', created_at: at(0), calls: [call] });
  await recordJob(database, {
    team: 'acme-one',
    created_at: at(1),
    end: 'completed',
    user_id: 'grace',
    calls: [call, call],
  });
  await recordJob(database, {
    team: 'acme-one',
    created_at: at(2),
    end: 'failed',
    credits: 0,
    calls: [{ ...call, status: 'failed' }],
  });
  await recordJob(database, { team: 'acme-one', created_at: at(3), end: 'completed', credits: 3, calls: [call] });
});

const days = { created_from: new Date(today - 2 * dayMs), created_before: new Date(today + dayMs) };
const twoDays = {
  jobs: 3,
  total_calls: 4,
  failed_calls: 1,
  total_tokens: 40,
  total_cost_usd: '0.4',
  credits_charged: 1,
};

test.each([
  ['whole days, by their sums', days, twoDays],
  [
    'a part of a day, one by one',
    { ...days, created_before: at(0) },
    { jobs: 2, total_calls: 3, total_cost_usd: '0.3' },
  ],
  [
    'a status',
    { ...days, status: 'failed' as const },
    { jobs: 1, total_calls: 1, failed_calls: 1, credits_charged: 0 },
  ],
  ['a user', { user_id: 'grace' }, { jobs: 1, total_calls: 2, total_tokens: 20, credits_charged: 1 }],
  ['a user that does not exist', { user_id: 'nobody' }, { jobs: 0, total_calls: 0, total_cost_usd: '0' }],
])('the jobs of %s are counted with the sums of what they took (spec 19.76)', async (_, filter, sums) => {
  expect(await sumJobs(database, filter)).toMatchObject({ ...sums, stopped_at: null });
});

test('of more jobs than are looked at the newest are summed, and the oldest of them is named (spec 19.76)', async () => {
  const { jobs, total_calls, stopped_at } = await sumJobs(database, { min_cost_usd: 0 }, 2);

  expect([jobs, total_calls, stopped_at]).toEqual([2, 3, at(1)]);
});
