import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../../src/db/connection/execute-in.ts';
import { unnamed } from '../../src/db/sql/statement.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 2 });
beforeAll(async () => {
  await database.pool.query(`insert into organizations (organization_id, name) values ('one', '-'), ('other', '-')`);
});

const appendSql = unnamed('update organizations set name = name || :letter where organization_id = :organization_id');
const append = (entities: SqlEntityManager, organizationId: string, letter: string) =>
  executeIn(entities, appendSql, { letter, organization_id: organizationId });

test('two transactions that deadlock are both executed, each once', async () => {
  const { promise: bothHold, resolve } = Promise.withResolvers<void>();
  let holding = 0;
  const inOrder = (first: string, second: string, letter: string) =>
    database.transaction(async (entities) => {
      await append(entities, first, letter);
      holding += 1;
      if (holding === 2) resolve();
      await bothHold;
      await append(entities, second, letter);
    });

  await Promise.all([inOrder('one', 'other', 'a'), inOrder('other', 'one', 'b')]);

  // One of them once more; on a busy machine they may meet again.
  expect(holding).toBeGreaterThanOrEqual(3);
  const { rows } = await database.pool.query('select name from organizations');
  for (const { name } of rows) expect([...name].sort().join('')).toBe('-ab');
});
