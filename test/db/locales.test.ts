import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../src/db/connection/database.ts';
import { listJobsByCursor } from '../../src/db/jobs/list-jobs-by-cursor.ts';
import { listJobsByOffset } from '../../src/db/jobs/list-jobs-by-offset.ts';
import { listOrganizations } from '../../src/db/organizations/list-organizations.ts';
import { search } from '../../src/db/search/search.ts';
import { bind, type Statement, type Values } from '../../src/db/sql/statement.ts';
import { execute, urlOfDatabase } from '../support/database.ts';
import { services } from '../support/services.ts';

/** The name that is stored, and what finds it. */
const found: [stored: string, ...queries: string[]][] = [
  ['привет мир', 'ПРИВЕТ', 'Мир'],
  ['Größe', 'GRÖSSE', 'größe', 'gröSSe', 'GRÖẞE'],
  ['STRASSE 7', 'straße'],
  ['École', 'école', 'ÉCOLE', 'E\u0301cole', 'e\u0301COLE'],
  ['cafe\u0301', 'CAFÉ'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ'],
  ['TITLE', 'title'],
  ['istanbul', 'ISTANBUL'],
  ['IRMAK', 'irmak', 'ırmak'],
  ['İzmir', 'i\u0307ZMIR'],
  ['ǅungla', 'ǆUNGLA'],
  ['ﬁnance', 'FINANCE'],
  ['ＡＢＣ', 'abc'],
  ['東京🙂', '京🙂'],
  ['100%_off\\', '%_OFF\\'],
];
const notFound: [stored: string, query: string][] = [
  ['École', 'ecole'],
  ['100 off', '%'],
  ['привет', 'privet'],
];
const types = [
  'b',
  'a',
  'B',
  'ä',
  'Z',
  'z',
  'Ö',
  'i',
  'I',
  'İ',
  'ı',
  'a-b',
  'ab',
  '_',
  '9',
  'ß',
  'я',
  '東',
  '🙂',
  '\uffe5',
];
const inOrder = types.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

describe.each([
  ['C', "locale_provider libc locale 'C'"],
  ['English by ICU', "locale_provider icu icu_locale 'en-US' locale 'C'"],
  ['Turkish by ICU', "locale_provider icu icu_locale 'tr-TR' locale 'C'"],
])('in a database with the locale %s', (_, locale) => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  let database: Database;
  beforeAll(async () => {
    await execute(services.adminDatabaseUrl, `create database ${name} template template0 encoding 'UTF8' ${locale}`);
    const url = urlOfDatabase(services.adminDatabaseUrl, name);
    database = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 10_000 });
    await database.migrate();
    const names = [...new Set([...found, ...notFound].map(([stored]) => stored))];
    await database.pool.query(
      'insert into organizations (organization_id, name) select n::text, name from unnest($1::text[]) with ordinality as given (name, n)',
      [names],
    );
    await database.pool.query(`insert into teams (team_id, proxy_team_id, organization_id) values ('a', 'a', '1')`);
    await database.pool.query(
      `insert into jobs (job_id, team_id, organization_id, job_type, status, created_at, completed_at)
       select gen_random_uuid(), 'a', '1', type, 'failed', now(), now() from unnest($1::text[]) as type`,
      [types],
    );
  });
  afterAll(async () => {
    await database.close();
    await execute(services.adminDatabaseUrl, `drop database if exists ${name} with (force)`);
  });

  const list = async (q: string): Promise<string[]> =>
    (await listOrganizations(database, { q, limit: 100 })).rows.map((row) => row.name);
  const searchNames = async (q: string): Promise<string[]> =>
    (await search(database, { q, ranges: [], ids: [], teamId: null })).map((hit) => hit.label);

  test.each(found.flatMap(([stored, ...queries]) => queries.map((query) => [stored, query])))(
    '%s is found by %s in lists and in the search (spec 19.70) (spec 19.30)',
    async (stored, query) => {
      expect(await list(query!)).toContain(stored);
      expect(await searchNames(query!)).toContain(stored);
    },
  );

  test.each(notFound)('%s is not found by %s', async (stored, query) => {
    expect(await list(query)).not.toContain(stored);
    expect(await searchNames(query)).not.toContain(stored);
  });

  test('jobs are sorted by the characters of their types, forwards and backwards, by offset and by cursor (spec 3.8)', async () => {
    const sorted = async (order: 'asc' | 'desc') => {
      const page = { sort_by: 'job_type', order, limit: 7 } as const;
      const byOffset = await listJobsByOffset(database, {}, { ...page, limit: 100, offset: 0 });
      const byCursor: string[] = [];
      for (let cursor = null; ; ) {
        const { rows, next } = await listJobsByCursor(database, {}, { ...page, cursor });
        byCursor.push(...rows.map((row) => row.job_type));
        if (!next) break;
        cursor = next as never;
      }
      return { byOffset: byOffset.rows.map((row) => row.job_type), byCursor };
    };

    expect(await sorted('asc')).toEqual({ byOffset: inOrder, byCursor: inOrder });
    expect(await sorted('desc')).toEqual({ byOffset: inOrder.toReversed(), byCursor: inOrder.toReversed() });
  });

  test('an index serves the order by the type of jobs', async () => {
    await database.pool.query('set enable_seqscan = off; set enable_sort = off');
    const plans: string[] = [];
    const query = async <Row>(sql: Statement, values: Values = {}) => {
      const { rows } = await database.pool.query(`explain ${sql.text}`, bind(sql, values));
      plans.push(...rows.map((row) => row['QUERY PLAN']));
      return [] as Row[];
    };
    const explained = { ...database, query, reports: { ...database.reports, query } } as Database;
    await listJobsByCursor(explained, {}, { sort_by: 'job_type', order: 'desc', limit: 10, cursor: null });

    expect(plans.join('\n')).toMatch(/Index (Only )?Scan using ended_jobs_by_type_name/);
  });
});
