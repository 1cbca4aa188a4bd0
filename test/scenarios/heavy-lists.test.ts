import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const manyJobs = 50_000;

/** Inserts ended jobs of the team, one for each 30 s. */
const recordJobs = (team: GivenTeam) =>
  gateway.current.deps.database.pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, status, metadata, created_at, completed_at)
     select gen_random_uuid(), $1, $2, 'type-' || n % 7, 'completed', jsonb_build_object('note', repeat('x', 200)), at, at
       from (select n, timestamptz '2026-02-01' + n * interval '30 s' as at from generate_series(1, $3::int) n) numbered`,
    [team.teamId, team.organizationId, manyJobs],
  );

const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;

/** The milliseconds of each of several calls, one after the other. */
async function timeCalls(team: GivenTeam, calls: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < calls) {
    const begin = performance.now();
    expectOk(await as(gateway, team).single());
    times.push(performance.now() - begin);
  }
  return times;
}

test('calls of a team take at most four times as long while another team continuously reads the last pages of a list of 50,000 jobs', async () => {
  const [heavy, other] = [await given.team(), await given.team({ credits: 1_000 })];
  await recordJobs(heavy);
  await timeCalls(other, 20);
  const quiet = await timeCalls(other, 30);

  const reading = { stopped: false };
  const path = `/api/jobs?sort_by=job_type&offset=${manyJobs - 10}&limit=10&start_date=2026-01-01T00:00:01Z`;
  const statuses = new Set<number>();
  const readers = Array.from({ length: 20 }, async () => {
    while (!reading.stopped) statuses.add((await as(gateway, heavy).get(path)).status);
  });
  const loaded = await timeCalls(other, 30).finally(() => {
    reading.stopped = true;
  });
  await Promise.all(readers);

  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  // On two busy cores the ratio is 1.4. It was 13 when lists used the connections of calls.
  expect(median(loaded) / median(quiet)).toBeLessThan(4);
}, 180_000);
