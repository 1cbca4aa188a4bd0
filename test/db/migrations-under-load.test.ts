import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { migrations } from '../../migrations/index.ts';
import { poolConfig } from '../../src/db/connection/connection-options.ts';
import { migrate, openOrm } from '../../src/db/connection/orm.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { until } from '../support/until.ts';

const { url, database } = await databaseForTests();

class NewColumn extends Migration {
  override up(): void {
    this.addSql('alter table calls add column note text');
  }
}

class NewIndex extends Migration {
  override isTransactional(): boolean {
    return false;
  }
  override up(): void {
    this.addSql('drop index concurrently if exists calls_by_note');
    this.addSql('create index concurrently calls_by_note on calls (note)');
  }
}

const later = [
  { name: '9001-new-column', class: NewColumn },
  { name: '9002-new-index', class: NewIndex },
];

async function migrateLater() {
  const orm = await openOrm({
    url,
    connection: poolConfig({ url, stallTimeoutMs: 60_000, lockTimeoutMs: 200 }),
    max: 2,
    onPoolCreated: () => undefined,
  });
  try {
    return await migrate(orm, [...migrations, ...later]);
  } finally {
    await orm.close(true);
  }
}

test('a migration that waits for a long read of its table leaves the lock queue, so that calls continue, and succeeds afterwards (spec 15.11)', async () => {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin; select * from calls');
  const migrating = migrateLater();
  const hasGivenUp = async () => {
    const { rows } = await database.pool.query(
      `select count(*)::int as waiting from pg_locks where not granted and relation = 'calls'::regclass`,
    );
    return rows[0].waiting === 0;
  };
  await until(async () => !(await hasGivenUp()));

  // Waits behind the migration, and is served when that gives up although the reader stays.
  await database.pool.query('select count(*) from calls');

  await until(hasGivenUp);
  await reader.query('commit');
  await reader.end();
  expect((await migrating).done).toEqual(['9001-new-column', '9002-new-index']);
  const { rows } = await database.pool.query(
    `select indisvalid from pg_index where indexrelid = 'calls_by_note'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
}, 60_000);
