import { refillTeam } from '../../../src/services/credits/refill-team.ts';
import { databaseForTests } from '../../support/database-for-tests.ts';
import { checkLedger } from '../../support/ledger.ts';

const { database } = await databaseForTests();

const missed = 12;

/** An account whose refills were not made for so many days. */
async function givenOverdue(teamId: string): Promise<void> {
  await database.pool.query('insert into organizations (organization_id, name) values ($1, $1)', [teamId]);
  await database.pool.query('insert into teams (team_id, organization_id, proxy_team_id) values ($1, $1, $1)', [
    teamId,
  ]);
  await database.pool.query(
    `insert into credit_accounts (team_id, organization_id, credit_limit, auto_refill, refill_amount, refill_period,
                                  refill_anchor_at, next_refill_at)
     values ($1, $1, 0, true, 10, 'daily', now() - interval '1 day' - $2 * interval '1 day', now() - $2 * interval '1 day')`,
    [teamId, missed - 1],
  );
}

const given = async (teamId: string): Promise<{ refills: number; due: boolean }> => {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from credit_transactions where team_id = $1) as refills, next_refill_at <= now() as due
       from credit_accounts where team_id = $1`,
    [teamId],
  );
  return rows[0];
};

test('three catch-ups at once make every missed refill once, and return only after that', async () => {
  await givenOverdue('two-at-once');
  const catchUp = async () => {
    await refillTeam(database, 'two-at-once', new Date());
    return given('two-at-once');
  };

  const seen = await Promise.all([catchUp(), catchUp(), catchUp()]);

  expect(seen).toEqual(Array(3).fill({ refills: missed, due: false }));
  expect(await checkLedger(database)).toEqual([]);
});

test('a refill that would exceed the largest balance is not made and stays due (spec 6.16)', async () => {
  await givenOverdue('full');
  await database.pool.query(`update credit_accounts set refill_amount = 1_000_000_000 where team_id = 'full'`);

  expect(await refillTeam(database, 'full', new Date())).toBe(2);
  expect(await refillTeam(database, 'full', new Date())).toBe(0);
  expect(await given('full')).toEqual({ refills: 2, due: true });
});

test('refills up to a balance add what is lacking, write no row where nothing is, and advance the date (spec 24.7)', async () => {
  await givenOverdue('filled');
  await database.pool.query(`update credit_accounts set refill_up_to = 25 where team_id = 'filled'`);

  expect(await refillTeam(database, 'filled', new Date())).toBe(3);

  const { rows } = await database.pool.query(
    `select (select array_agg(credits_amount order by position) from credit_transactions where team_id = 'filled') as added,
            credits_remaining, credit_limit, next_refill_at > now() as advanced, last_refill_at is not null as refilled
       from credit_accounts where team_id = 'filled'`,
  );
  expect(rows).toEqual([
    { added: [10, 10, 5], credits_remaining: 25, credit_limit: 25, advanced: true, refilled: true },
  ]);
  expect(await checkLedger(database)).toEqual([]);
});

test('a refill of an unlimited budget far below 0 adds its amount, and one of a full balance nothing (spec 24.7)', async () => {
  await givenOverdue('in-debt');
  await database.pool.query(
    `begin;
     update credit_accounts set refill_up_to = 2147483647, credit_limit = null, credits_allocated = -2147483647 where team_id = 'in-debt';
     insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount, credits_before, credits_after, reason)
     values (gen_random_uuid(), 'in-debt', 'in-debt', 'adjustment', -2147483647, 0, -2147483647, 'why');
     commit`,
  );

  expect(await refillTeam(database, 'in-debt', new Date())).toBe(missed);
});
