import { Client } from 'pg';
import { rollUpCalls } from '../../src/db/maintenance/roll-up-calls.ts';
import { gatewayClient } from '../../tools/demo/gateway-client.ts';
import { inventJobs } from '../../tools/demo/invent-jobs.ts';
import { seededRandom } from '../../tools/demo/random.ts';
import { keyOfTeam, setUp } from '../../tools/demo/set-up.ts';
import { demoTeams } from '../../tools/demo/story.ts';
import { writeHistory } from '../../tools/demo/write-history.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { checkLedger } from '../support/ledger.ts';

const gateway = gatewayForTests({ worker: false });

const until = new Date();
const days = 60;

const countOf = async (sql: string): Promise<number> => {
  const { rows } = await gateway.current.deps.database.pool.query(`select count(*)::int as rows from ${sql}`);
  return rows[0].rows;
};

let jobs = 0;

beforeAll(async () => {
  const { url, masterKey, databaseUrl, deps } = gateway.current;
  const admin = gatewayClient(url, masterKey);
  await setUp(admin);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const [index, team] of demoTeams.entries()) {
    const invented = inventJobs(team, days, until, seededRandom(index + 1));
    const key = deps.secrets.lookupHash(await keyOfTeam(admin, team));
    await writeHistory(client, team, [key], invented, until);
    jobs += invented.length;
  }
  await client.end();
}, 180_000);

test('the history of the demo passes the ledger check, and its calls are added to the sums by hour', async () => {
  const { database } = gateway.current.deps;
  await rollUpCalls(database, () => undefined, { settledAfterMs: 0 });

  expect(await checkLedger(database)).toEqual([]);
  expect(await countOf('jobs')).toBe(jobs);
  expect(jobs).toBeGreaterThan(300);
  expect(
    await countOf('(select sum(calls) from hourly_calls having sum(calls) = (select count(*) from calls)) s'),
  ).toBe(1);
});

test.each([
  ['charged jobs', 200, 'credit_applied'],
  ['refunded jobs', 1, `job_id in (select job_id from credit_transactions where transaction_type = 'refund')`],
  [
    'completed jobs that are free because a call failed',
    1,
    `status = 'completed' and failed_calls > 0 and not credit_applied`,
  ],
  [
    'completed jobs that are free because the credits did not suffice',
    1,
    `status = 'completed' and failed_calls = 0 and not credit_applied`,
  ],
  ['failed jobs', 1, `status = 'failed'`],
  ['cancelled jobs', 1, `status = 'cancelled'`],
  [
    'jobs with a call that a fallback answered',
    1,
    `job_id in (select job_id from calls where status = 'succeeded' and model_used <> resolved_model)`,
  ],
])('the history of the demo has %s', async (_kind, least, condition) => {
  expect(await countOf(`jobs where ${condition}`)).toBeGreaterThanOrEqual(least);
});

test('the history of the demo lies in the 61 days before it was written, in the order of its ledger, and leaves no schema behind', async () => {
  const outside = (column: string) =>
    `${column} not between now() - interval '61 days 12 hours' and now() - interval '1 second'`;

  expect(await countOf(`jobs where ${outside('created_at')} or ${outside('completed_at')}`)).toBe(0);
  expect(await countOf(`calls where ${outside('created_at')} or ${outside('finished_at')}`)).toBe(0);
  expect(await countOf(`call_attempts where ${outside('created_at')}`)).toBe(0);
  expect(await countOf(`teams where ${outside('created_at')}`)).toBe(0);
  expect(
    await countOf(`(select created_at < lag(created_at) over (partition by team_id order by position) as is_earlier
                      from credit_transactions) t where is_earlier`),
  ).toBe(0);
  expect(await countOf(`credit_transactions where ${outside('created_at')}`)).toBe(0);
  expect(await countOf(`information_schema.schemata where schema_name = 'demo_past'`)).toBe(0);
});
