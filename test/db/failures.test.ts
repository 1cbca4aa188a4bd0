import { openDatabase } from '../../src/db/connection/database.ts';
import { asDatabaseOutage, isAnswered } from '../../src/db/connection/failures.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { Unavailable } from '../../src/errors.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { until } from '../support/until.ts';

const { url } = await databaseForTests();

const failure = (code: string) => Object.assign(new Error('of PostgreSQL or the network'), { code });

test.each([
  ['a connection that failed', '08006'],
  ['too many connections', '53300'],
  ['a full disk', '53100'],
  ['a shutdown', '57P01'],
  ['a lock timeout', '55P03'],
  ['a transaction that was idle for too long', '25P03'],
  ['a transaction that took too long', '25P04'],
  ['a password that was changed', '28P01'],
  ['a database that is being restored', '3D000'],
  ['a table that is not restored yet', '42P01'],
  ['a host without a route', 'EHOSTUNREACH'],
  ['a host that is down', 'EHOSTDOWN'],
  ['an unreachable network', 'ENETUNREACH'],
  ['no file descriptor left for a connection', 'EMFILE'],
  ['no port left for a connection', 'EADDRNOTAVAIL'],
])('%s is converted into an outage of the database', (_, code) => {
  expect(asDatabaseOutage(failure(code))).toBeInstanceOf(Unavailable);
});

test.each([
  ['a name that is taken', '23505'],
  ['a violated check constraint', '23514'],
  ['a number that is too large', '22003'],
])('%s is not converted into an outage of the database', (_, code) => {
  const error = failure(code);

  expect(asDatabaseOutage(error)).toBe(error);
});

const one = statement('one', 'select 1 as one');

test('an outage counts as answered where the connection is refused, and not where a frozen server gives no response', async () => {
  await using closing = new AsyncDisposableStack();
  const proxy = await startFreezingProxy(new URL(url));
  const database = await openDatabase({ url: proxy.url, poolSize: 1, stallTimeoutMs: 800 });
  closing.defer(() => database.close());
  const failureOf = () =>
    database.query(one).then(
      () => 'none',
      (error: unknown) => error,
    );

  proxy.freeze();
  const frozen = await failureOf();
  await proxy.close();
  await until(async () => isAnswered(await failureOf()));

  expect(frozen).toBeInstanceOf(Unavailable);
  expect(isAnswered(frozen)).toBe(false);
});
