import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/connection/database.ts';
import { executeIn } from '../../src/db/connection/execute-in.ts';
import { statement, unnamed } from '../../src/db/sql/statement.ts';
import { ReportTimedOut, Unavailable } from '../../src/errors.ts';
import { errorReply } from '../../src/http/respond-error.ts';
import { createLog } from '../../src/log.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { until } from '../support/until.ts';

const { url, database } = await databaseForTests();

const one = statement('one', 'select 1 as one');
const sleep = unnamed('select pg_sleep(:seconds)');
const slow = (seconds: number) => database.reports.query(sleep, { seconds });
const slowSnapshot = (seconds: number) =>
  database.reports.snapshot((entities) => executeIn(entities, sleep, { seconds }));

describe('reports that take too long', () => {
  test('reports of a minute time out, also those that wait for a connection, while calls and management get responses', async () => {
    const reports = Promise.allSettled([slow(60), slowSnapshot(60), slow(60), slowSnapshot(60)]);
    let over = false;
    void reports.finally(() => {
      over = true;
    });

    let answered = 0;
    while (!over) {
      await database.query(one);
      await database.reserved(one);
      await database.transaction((entities) => entities.execute('select 1'));
      answered += 1;
      await pause(20);
    }

    for (const outcome of await reports)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ReportTimedOut) });
    expect(answered).toBeGreaterThan(10);
    expect(await database.reports.query(one)).toEqual([{ one: 1 }]);
  });

  test('a report that timed out is a 503 with Retry-After, and logged as such (spec 1.4, spec 1.8)', () => {
    const lines: string[] = [];
    const log = createLog('info', 'test', { write: (line) => void lines.push(line) });

    const reply = errorReply(new ReportTimedOut({ cause: new Error('canceling statement') }), log);

    expect(reply).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'database: report timed out', cause: 'canceling statement' }),
    ]);
  });
});

test('a report whose connection the server terminates is an outage, and the next report succeeds', async () => {
  const ended = database.reports.query(unnamed('select pg_terminate_backend(pg_backend_pid())'));

  await expect(ended).rejects.toThrow('database is unavailable');
  expect(await database.reports.query(one)).toEqual([{ one: 1 }]);
});

test('the settings of a report apply to its transaction only', async () => {
  const names = ['statement_timeout', 'max_parallel_workers_per_gather', 'idle_in_transaction_session_timeout', 'jit'];
  const text = `select name, setting from pg_settings where name in ('${names.join("', '")}') order by name`;
  const outside = (await database.reports.pool.query(text)).rows;

  const inQuery = await database.reports.query(unnamed(text));
  const inSnapshot = await database.reports.snapshot((entities) => entities.execute(text));

  const settings = { idle_in_transaction_session_timeout: '50000', jit: 'off', max_parallel_workers_per_gather: '0' };
  const bounded = Object.entries({ ...settings, statement_timeout: '5000' });
  expect(inQuery).toEqual(bounded.map(([name, setting]) => ({ name, setting })));
  expect(inSnapshot).toEqual(inQuery);
  expect((await database.reports.pool.query(text)).rows).toEqual(outside);
  expect(outside).toContainEqual({ name: 'statement_timeout', setting: '0' });
});

test('a report that writes is refused', async () => {
  const insert = `insert into sweep_cursors (name, done_until) values ('a mark', now()) returning name`;

  await expect(database.reports.query(unnamed(insert))).rejects.toThrow(Unavailable);
  await expect(database.reports.snapshot((entities) => entities.execute(insert))).rejects.toThrow(Unavailable);
});

const waysToRead: [string, number, (from: Database) => Promise<unknown>][] = [
  ['snapshots', 5, (from) => from.snapshot((entities) => entities.execute('select pg_sleep(0.1)'))],
  ['snapshots of reports', 2, (from) => from.reports.snapshot((entities) => entities.execute('select pg_sleep(0.1)'))],
  ['reports', 2, (from) => from.reports.query(unnamed('select pg_sleep(0.1)'))],
];

test.each(waysToRead)('%s without a response of a frozen server return their connections', async (_, most, read) => {
  await using closing = new AsyncDisposableStack();
  const proxy = await startFreezingProxy(new URL(url));
  closing.defer(() => proxy.close());
  const behind = await openDatabase({ url: proxy.url, poolSize: 1, stallTimeoutMs: 800 });
  closing.defer(() => behind.close());
  const readAll = () => Promise.allSettled(Array.from({ length: most }, () => read(behind)));
  await readAll();

  proxy.freeze();
  for (const outcome of await readAll())
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
  proxy.thaw();

  // On a busy machine a connection can take longer than the stall timeout once more; one that was not returned is never there again.
  await until(readAll, (outcomes) => outcomes.every(({ status }) => status === 'fulfilled'));
});
