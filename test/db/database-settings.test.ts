import { openDatabase } from '../../src/db/connection/database.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { type ClonedDatabase, cloneDatabase, execute, urlOfDatabase } from '../support/database.ts';
import { services } from '../support/services.ts';

describe('a database with settings of its own', () => {
  let cloned: ClonedDatabase;
  beforeAll(async () => {
    cloned = await cloneDatabase();
  });
  afterAll(() => cloned.drop());

  const at = '2026-02-03T04:05:06.789Z';
  const text = `select '${at}'::timestamptz as at`;

  test.each(['German, DMY', 'SQL, DMY', 'Postgres, MDY'])(
    'times are read correctly from a database with the datestyle %s',
    async (style) => {
      const name = new URL(cloned.url).pathname.slice(1);
      await execute(services.adminDatabaseUrl, `alter database ${name} set datestyle = ${style}`);
      await execute(services.adminDatabaseUrl, `alter database ${name} set timezone = 'Asia/Kolkata'`);
      const database = await openDatabase({ url: cloned.url, poolSize: 1, stallTimeoutMs: 10_000 });

      const [forCalls] = await database.query(statement('at', text));
      const [forManagement] = await database.entities().execute<{ at: unknown }[]>(text);
      await database.close();

      expect(forCalls).toEqual({ at: new Date(at) });
      expect(new Date(forManagement!.at as string)).toEqual(new Date(at));
    },
  );
});

test('simultaneous updates of a row wait for each other in a database with the isolation level repeatable read', async () => {
  const { url, drop } = await cloneDatabase();
  const name = new URL(url).pathname.slice(1);
  await execute(
    services.adminDatabaseUrl,
    `alter database ${name} set default_transaction_isolation = 'repeatable read'`,
  );
  const database = await openDatabase({ url, poolSize: 20, stallTimeoutMs: 10_000 });
  await execute(url, `insert into sweep_cursors (name, done_until) values ('a mark', 'epoch')`);
  const add = statement(
    'add',
    `with slow as (select pg_sleep(0.01))
     update sweep_cursors set done_until = done_until + interval '1 day' from slow where name = 'a mark'`,
  );

  await Promise.all(Array.from({ length: 40 }, () => database.query(add)));

  const [mark] = await database.query(statement('mark', `select done_until from sweep_cursors where name = 'a mark'`));
  expect(mark).toEqual({ done_until: new Date(40 * 86_400_000) });
  await database.close();
  await drop();
});

test.each(['SQL_ASCII', 'LATIN1'])(
  'a database with the encoding %s is refused when it is opened, with the name of the encoding',
  async (encoding) => {
    const name = `test_${encoding.toLowerCase()}`;
    await execute(
      services.adminDatabaseUrl,
      `create database ${name} encoding '${encoding}' locale 'C' template template0`,
    );

    const opened = openDatabase({
      url: urlOfDatabase(services.adminDatabaseUrl, name),
      poolSize: 1,
      stallTimeoutMs: 10_000,
    });

    await expect(opened).rejects.toThrow(`the database has the encoding ${encoding}: it has to be UTF8`);
    await execute(services.adminDatabaseUrl, `drop database ${name} with (force)`);
  },
);
