import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const pool = () => gateway.current.deps.database.pool;

interface GivenCall {
  team: GivenTeam;
  job: string;
  call: string;
}

async function givenCall(team: GivenTeam): Promise<GivenCall> {
  const job = await given.job(team);
  return { team, job, call: expectOk(await as(gateway, team).call(job)).call_id };
}

/** As if the call had been made and had ended so long ago. */
async function age({ call }: GivenCall, interval: string): Promise<void> {
  await pool().query(
    `with payload as (update call_payloads set created_at = created_at - $2::interval where call_id = $1)
     update calls set created_at = created_at - $2::interval, finished_at = finished_at - $2::interval where call_id = $1`,
    [call, interval],
  );
}

const isStored = async ({ team, job, call }: GivenCall): Promise<boolean> =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}`)).payload_stored;

const put = async ({ teamId }: GivenTeam, days: number | null) =>
  expectOk(await admin.put(`/api/teams/${teamId}`, { payload_retention_days: days })).payload_retention_days;

test('texts of a team are kept for its own days, and those of other teams for PAYLOAD_RETENTION_DAYS (spec 4.22)', async () => {
  const [brief, long] = [
    await given.team({ payload_retention_days: 2 }),
    await given.team({ payload_retention_days: 40 }),
  ];
  const plain = await given.team();
  const cases: [GivenTeam, string, boolean][] = [
    [brief, '1 day 23 hours', true],
    [brief, '2 days 1 hour', false],
    [long, '39 days', true],
    [long, '41 days', false],
    [plain, '29 days', true],
    [plain, '31 days', false],
  ];
  const calls = await Promise.all(cases.map(([team]) => givenCall(team)));
  await Promise.all(cases.map(([, interval], n) => age(calls[n]!, interval)));

  await maintain(gateway.current);

  expect(await Promise.all(calls.map(isStored))).toEqual(cases.map(([, , kept]) => kept));
});

test('with 0 days texts are gone ten minutes after the end of their call, and not before (spec 4.22)', async () => {
  const team = await given.team({ payload_retention_days: 0 });
  const [before, after] = [await givenCall(team), await givenCall(team)];
  await Promise.all([age(before, '9 minutes'), age(after, '11 minutes')]);

  await maintain(gateway.current);

  expect([await isStored(before), await isStored(after)]).toEqual([true, false]);
});

test('a changed retention is for texts that are stored already, and null is the default again (spec 4.22)', async () => {
  const team = await given.team();
  const [shortened, lengthened, young] = [await givenCall(team), await givenCall(team), await givenCall(team)];
  await Promise.all([age(shortened, '5 days'), age(lengthened, '31 days')]);
  expect(await put(team, 60)).toBe(60);
  await maintain(gateway.current);

  expect([await isStored(shortened), await isStored(lengthened)]).toEqual([true, true]);
  expect(await put(team, null)).toBeNull();
  await maintain(gateway.current);

  expect([await isStored(shortened), await isStored(lengthened)]).toEqual([true, false]);
  await put(team, 4);
  await maintain(gateway.current);

  expect([await isStored(shortened), await isStored(young)]).toEqual([false, true]);
});

test.each([-1, 366, 1.5])('a retention of %p days is refused with 422 (spec 4.22)', async (days) => {
  const { teamId } = await given.team();

  expect((await admin.put(`/api/teams/${teamId}`, { payload_retention_days: days })).status).toBe(422);
});
