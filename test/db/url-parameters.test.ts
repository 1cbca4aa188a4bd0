import { type Database, openDatabase } from '../../src/db/connection/database.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts';

let cloned: ClonedDatabase;
beforeAll(async () => {
  cloned = await cloneDatabase();
});
afterAll(() => cloned.drop());

const open = (parameters: string) =>
  openDatabase({ url: `${cloned.url}?${parameters}`, poolSize: 1, stallTimeoutMs: 10_000 });

const text = 'show statement_timeout';
const ways: [string, (database: Database) => Promise<unknown>][] = [
  ['calls', (database) => database.query(statement('timeout', text))],
  ['management', (database) => database.entities().execute(text)],
  ['transactions', (database) => database.transaction((entities) => entities.execute(text))],
];

test.each(ways)('options in the URL apply to connections of %s', async (_, read) => {
  const database = await open('options=-c%20statement_timeout%3D1234');

  const answer = await read(database).finally(() => database.close());

  expect(answer).toEqual([{ statement_timeout: '1234ms' }]);
});

test('options in the URL apply to migrations', async () => {
  const database = await open('options=-c%20search_path%3Dnowhere');

  const migrated = database.migrate().finally(() => database.close());

  await expect(migrated).rejects.toThrow('relation "migrations" does not exist');
});

test('a URL that requires TLS is refused when the server has none', async () => {
  await expect(open('sslmode=require')).rejects.toThrow('does not support SSL');
});
