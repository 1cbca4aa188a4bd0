import { asDatabaseOutage } from '../../src/db/connection/failures.ts';
import { Unavailable } from '../../src/errors.ts';

const failure = (code: string) => Object.assign(new Error('as PostgreSQL or the network says it'), { code });

test.each([
  ['a connection that failed', '08006'],
  ['too many connections', '53300'],
  ['a full disk', '53100'],
  ['a shutdown', '57P01'],
  ['a lock that was not got', '55P03'],
  ['a transaction that was idle for too long', '25P03'],
  ['a transaction that took too long', '25P04'],
  ['a password that was changed', '28P01'],
  ['a database that is being restored', '3D000'],
  ['a table that is not restored yet', '42P01'],
  ['a host that no router knows', 'EHOSTUNREACH'],
  ['a host that is down', 'EHOSTDOWN'],
  ['a network that is away', 'ENETUNREACH'],
  ['no file descriptor left for a connection', 'EMFILE'],
  ['no port left for a connection', 'EADDRNOTAVAIL'],
])('%s is an outage', (_, code) => {
  expect(asDatabaseOutage(failure(code))).toBeInstanceOf(Unavailable);
});

test.each([
  ['a name that is taken', '23505'],
  ['a broken rule of the database', '23514'],
  ['a number that is too large', '22003'],
])('%s is none', (_, code) => {
  const error = failure(code);

  expect(asDatabaseOutage(error)).toBe(error);
});
