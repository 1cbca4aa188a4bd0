import { randomUUID } from 'node:crypto';
import { withGrants } from '../../../src/services/teams/with-grants.ts';
import { databaseForTests } from '../../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 2 });

const sql = (text: string, values: unknown[]) => database.pool.query(text, values);
const givenGroup = (id: string, name: string) =>
  sql('insert into model_groups (model_group_id, group_name) values ($1, $2)', [id, name]);

test('names of groups are resolved to ids in the order of the names', async () => {
  const ids = [randomUUID(), randomUUID()];
  await givenGroup(ids[0]!, 'first');
  await givenGroup(ids[1]!, 'second');

  const granted = await withGrants(database, ['second', 'first'], [], async ({ modelGroupIds }) => modelGroupIds);

  expect(granted).toEqual([ids[1], ids[0]]);
});

describe('while a group is assigned to a team', () => {
  const assign = (id: string) =>
    sql(`insert into team_model_groups (team_id, model_group_id, position) values ('t', $1, 0)`, [id]);
  const remove = (id: string) => sql('delete from model_groups where model_group_id = $1', [id]);
  beforeAll(async () => {
    await sql(`insert into organizations (organization_id, name) values ('o', 'o')`, []);
    await sql(`insert into teams (team_id, organization_id, proxy_team_id) values ('t', 'o', 't')`, []);
  });

  test('a group that is deleted before it is assigned is refused as not found', async () => {
    await givenGroup(randomUUID(), 'fleeting');

    const work = withGrants(database, ['fleeting'], [], async ({ modelGroupIds }) => {
      await remove(modelGroupIds[0]!);
      await assign(modelGroupIds[0]!);
    });

    await expect(work).rejects.toMatchObject({ code: 'model_group_not_found' });
  });

  test.each([
    ['once', 1],
    ['before each assignment', Infinity],
  ])(
    'a group that is deleted and created again %s is assigned anew, or refused as not found after three tries',
    async (_, times) => {
      await givenGroup(randomUUID(), `restless ${times}`);
      let tries = 0;

      const work = withGrants(database, [`restless ${times}`], [], async ({ modelGroupIds: [id] }) => {
        tries += 1;
        if (tries <= times) {
          await remove(id!);
          await givenGroup(randomUUID(), `restless ${times}`);
        }
        await assign(id!);
      });

      if (times === 1) await work;
      else await expect(work).rejects.toMatchObject({ code: 'model_group_not_found' });
    },
  );
});
