import { Client } from 'pg';
import { insertHistory } from '../../tools/demo/insert-history.ts';
import { type InventedJob, inventJobs } from '../../tools/demo/invent-jobs.ts';
import { seededRandom } from '../../tools/demo/random.ts';
import { demoOrganizations, demoTeams } from '../../tools/demo/story.ts';
import { type Ledger, writeLedger } from '../../tools/demo/write-ledger.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { checkLedger } from '../support/ledger.ts';

const { url, database } = await databaseForTests();

const until = new Date('2026-03-31T15:00:00Z');
const days = 30;

const pastOf = (place: number): { jobs: InventedJob[]; ledger: Ledger } => {
  const random = seededRandom(place + 1);
  const jobs = inventJobs(demoTeams[place]!, days, until, random);
  return { jobs, ledger: writeLedger(demoTeams[place]!, jobs, until, random) };
};

test('the inserted history of the demo has every kind of job: charged, refunded, free after a failed call or without credits, failed, cancelled', () => {
  const past = demoTeams.map((_, place) => pastOf(place));
  const jobs = past.flatMap((one) => one.jobs);
  const isFree = ({ job_id }: InventedJob) =>
    past.every(({ ledger }) => (ledger.charges.get(job_id)?.credits ?? 0) === 0);
  const hasFailedCall = ({ calls }: InventedJob) => calls.some(({ error }) => error !== null);
  const completed = jobs.filter(({ status }) => status === 'completed');

  expect(jobs.length).toBeGreaterThan(300);
  expect(completed.filter((job) => !isFree(job)).length).toBeGreaterThan(200);
  expect(completed.some((job) => hasFailedCall(job) && isFree(job))).toBe(true);
  expect(completed.some((job) => !hasFailedCall(job) && isFree(job))).toBe(true);
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['completed', 'failed', 'cancelled']));
  expect(past.some(({ ledger }) => ledger.refunds.size > 0)).toBe(true);
  expect(jobs.some(({ calls }) => calls.some(({ attempts }) => attempts.length > 1 && attempts.at(-1)!.outcome === 'succeeded'))).toBe(true); // biome-ignore format: one rule
});

test('the inserted history of the demo passes the ledger check', async () => {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const { organization_id, name } of demoOrganizations)
    await client.query('insert into organizations (organization_id, name) values ($1, $2)', [organization_id, name]);
  for (const [place, team] of demoTeams.entries()) {
    const { team_id, organization_id, budget_mode, credit_limit } = team;
    await client.query('insert into teams (team_id, organization_id, budget_mode, proxy_team_id) values ($1, $2, $3, $1)', [team_id, organization_id, budget_mode]); // biome-ignore format: one row
    await client.query('insert into credit_accounts (team_id, organization_id, credit_limit) values ($1, $2, $3)', [team_id, organization_id, credit_limit]); // biome-ignore format: one row
    const { jobs, ledger } = pastOf(place);

    await insertHistory(client, team, jobs, ledger);
  }
  await client.end();

  expect(await checkLedger(database)).toEqual([]);
  const { rows } = await database.pool.query(
    'select count(*)::int as jobs, count(distinct team_id)::int as teams from jobs',
  );
  expect(rows[0].teams).toBe(demoTeams.length);
  expect(rows[0].jobs).toBeGreaterThan(300);
});
