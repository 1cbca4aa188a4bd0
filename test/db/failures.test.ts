import { asDatabaseOutage } from '../../src/db/failures.ts';
import { Unavailable } from '../../src/errors.ts';

test.each([
  ['a host that no router knows', 'EHOSTUNREACH'],
  ['a host that is down', 'EHOSTDOWN'],
  ['a network that is away', 'ENETUNREACH'],
  ['no file descriptor left for a connection', 'EMFILE'],
  ['no port left for a connection', 'EADDRNOTAVAIL'],
  ['a transaction that was idle for too long', '25P03'],
  ['a transaction that took too long', '25P04'],
  ['a password that was changed', '28P01'],
  ['a database that is being restored', '3D000'],
])('%s is an outage', (_, code) => {
  const error = Object.assign(new Error(`connect ${code}`), { code });

  expect(asDatabaseOutage(error)).toBeInstanceOf(Unavailable);
});

test('a broken rule of the database is none', () => {
  const error = Object.assign(new Error('new row violates check constraint'), { code: '23514' });

  expect(asDatabaseOutage(error)).toBe(error);
});
