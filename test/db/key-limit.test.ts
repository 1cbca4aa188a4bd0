import { randomUUID } from 'node:crypto';
import { databaseForTests } from '../support/database-for-tests.ts';
import { besideUncommitted } from '../support/locks.ts';

const { database } = await databaseForTests();

/** A key with room for one job of one credit. */
async function givenKey(): Promise<string> {
  const id = randomUUID();
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('${id}', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('${id}', '${id}', '${id}');
    insert into team_keys (key_id, team_id, name, key_hash, key_sealed, key_hint, credit_limit)
    values ('${id}', '${id}', 'key', '${id}', '', '', 1)`);
  return id;
}

const insertJob = `insert into jobs (job_id, team_id, organization_id, job_type, key_id, key_credits_held)
                   values (gen_random_uuid(), $1::text, $1::text, 'report', $1::uuid, 1)`;

test.each([
  ['commit', 'key_limit'],
  ['rollback', 'made'],
] as const)(
  'a job waits for another that is just created with its key, and after its %s sees the room that is left (spec 25.4)',
  async (end, outcome) => {
    const id = await givenKey();
    const beside = { sql: insertJob, values: [id], waiting: 1, end };

    const second = await besideUncommitted({ deps: { database } }, beside, () =>
      database.pool.query(insertJob, [id]).then(
        () => 'made',
        (error: { constraint?: string }) => error.constraint,
      ),
    );

    expect(second).toBe(outcome);
  },
);
