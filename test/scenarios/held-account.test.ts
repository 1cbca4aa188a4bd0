import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';

/** Somebody holds one team's account, as an operator does who forgot a transaction: the others do not notice. */
const poolSize = 3;
const gateway = gatewayForTests({ settings: { DATABASE_POOL_SIZE: String(poolSize) } });
const given = givenIn(gateway);

test("a held account holds up its own team's jobs alone", async () => {
  const [held, other] = [await given.team({ credits: 9 }), await given.team({ credits: 9 })];
  const jobs = await Promise.all(Array.from({ length: 3 * poolSize }, () => given.job(held)));
  const { deps } = gateway.current;
  const holder = await deps.database.pool.connect();
  await holder.query('begin');
  await holder.query('select from credit_accounts where team_id = $1 for update', [held.teamId]);
  const completions = jobs.map((job) => as(gateway, held).complete(job));
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
  expect(expectOk(await as(gateway, held).get(`/api/teams/${held.teamId}/credits`)).credits_remaining).toBe(0);
});
