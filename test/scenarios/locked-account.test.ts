import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';

/** An operator leaves a transaction open that has locked the account of one team. */
const poolSize = 3;
const gateway = gatewayForTests({ settings: { DATABASE_POOL_SIZE: String(poolSize) } });
const given = givenIn(gateway);

test('a locked credit account delays the jobs of its own team, not those of other teams', async () => {
  const [locked, other] = [await given.team({ credits: 9 }), await given.team({ credits: 9 })];
  const jobs = await Promise.all(Array.from({ length: 3 * poolSize }, () => given.job(locked)));
  const { deps } = gateway.current;
  const holder = await deps.database.pool.connect();
  await holder.query('begin');
  await holder.query('select from credit_accounts where team_id = $1 for update', [locked.teamId]);
  const completions = jobs.map((job) => as(gateway, locked).complete(job));
  await until(async () => {
    const { rows } = await deps.database.pool.query(
      `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows[0].waiting > 0;
  });

  const answers = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const job = await given.job(other);
    answers.push(await as(gateway, other).call(job), await as(gateway, other).complete(job));
    expect(deps.workerWatch.isUnavailable()).toBe(false);
  }
  await holder.query('rollback');
  holder.release();

  for (const answer of answers) expectOk(answer);
  for (const completed of await Promise.all(completions)) expectOk(completed);
  expect(expectOk(await as(gateway, locked).get(`/api/teams/${locked.teamId}/credits`)).credits_remaining).toBe(0);
});
