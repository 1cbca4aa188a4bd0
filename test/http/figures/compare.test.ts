import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import { type GivenRecord, recordJob, recordTeam } from '../../support/given-record.ts';
import type { Json } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false, settings: { USD_PER_CREDIT: '0.5' } });
const admin = asAdmin(gateway);
const get = async (path: string): Promise<Json> => expectOk(await admin.get(path));

/** January has one job of 2 credits, February three of 1 credit, one of them of another type; each cost 0.1. */
beforeAll(async () => {
  const { database } = gateway.current.deps;
  await recordTeam(database, 'acme', 'acme-one', 1_000);
  const job: Omit<GivenRecord, 'created_at'> = {
    team: 'acme-one',
    end: 'completed',
    usd_per_credit: '0.5',
    calls: [{ cost_usd: '0.1' }],
  };
  await recordJob(database, { ...job, created_at: new Date('2026-01-31T12:00:00Z'), credits: 2 });
  await recordJob(database, { ...job, created_at: new Date('2026-02-01T12:00:00Z') });
  await recordJob(database, { ...job, created_at: new Date('2026-02-10T12:00:00Z') });
  await recordJob(database, { ...job, created_at: new Date('2026-02-28T12:00:00Z'), job_type: 'letter' });
});

const february = 'from=2026-02-01&to=2026-02-28';

test('a month is compared with the month before, group by group and bucket by bucket (spec 19.75)', async () => {
  const query = `${february}&metric=cost_usd&group_by=job_type&compare=previous`;
  const { groups, other, total, previous, points } = await get(`/api/usage/series?${query}`);
  const top = await get(`/api/usage/series?${query}&top=1`);

  expect(previous).toEqual({ from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', total: 0.1 });
  expect([total, other]).toEqual([0.3, null]);
  expect(groups).toEqual([
    { key: 'report', label: 'report', total: 0.2, previous: 0.1 },
    { key: 'letter', label: 'letter', total: 0.1, previous: 0 },
  ]);
  expect(points).toHaveLength(28);
  expect([points[0], points[27]]).toMatchObject([
    { total: 0.1, previous: 0 },
    { total: 0.1, previous: 0 },
  ]);
  expect(top.other).toEqual({ total: 0.1, count: 1, previous: 0 });
});

test('without a comparison a series has nothing of the period before (spec 19.75)', async () => {
  const { previous, groups, points } = await get(`/api/usage/series?${february}&group_by=job_type`);

  expect(previous).toBeUndefined();
  expect([...groups, ...points].filter((one) => 'previous' in one)).toEqual([]);
});

test('margins have their course by month, and each row and point the same of the period before (spec 19.75)', async () => {
  const query = 'from=2026-02-01&to=2026-02-28&bucket=month&compare=previous&group_by=job_type';
  const { total, previous, points, rows } = await get(`/api/usage/margins?${query}`);

  expect(total).toMatchObject({ jobs: 3, revenue_usd: 1.5, cost_usd: 0.3, margin_usd: 1.2 });
  expect(previous).toMatchObject({ from: '2026-01-01T00:00:00.000Z', total: { revenue_usd: 1, margin_usd: 0.9 } });
  expect(points).toMatchObject([{ at: '2026-02-01T00:00:00.000Z', margin_usd: 1.2, previous: { margin_usd: 0.9 } }]);
  expect(rows.map(({ key, previous: before }: Json) => [key, before?.margin_usd ?? null])).toEqual([
    ['report', 0.9],
    ['letter', null],
  ]);
});

test('the points of margins have every day, and their sum is the total (spec 19.75)', async () => {
  const { total, points } = await get(`/api/usage/margins?${february}&bucket=day`);

  expect(points).toHaveLength(28);
  expect(points.filter(({ jobs }: Json) => jobs === 0)).toHaveLength(25);
  expect(points.reduce((sum: number, { jobs }: Json) => sum + jobs, 0)).toBe(total.jobs);
});
