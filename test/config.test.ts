import { loadConfig } from '../src/config.ts';

const needed = {
  MASTER_KEY: 'a-platform-key-of-32-characters!',
  DATABASE_URL: 'postgres://user:p%2Fss@localhost/gateway?sslmode=require',
  REDIS_URL: 'redis://localhost',
  TEMPORAL_ADDRESS: 'localhost:7233',
  UPSTREAM_BASE_URL: 'http://localhost:4000',
};

const escaped = 'with what is special in the password escaped';
const databaseUrl = `a URL like postgresql://user:password@host:5432/database, ${escaped}`;
const redisUrl = `a URL like redis://:password@host:6379, ${escaped}`;

test.each([
  ['MASTER_KEY', 'x'.repeat(31), 'at least 32 characters'],
  ['MASTER_KEY', `${needed.MASTER_KEY} and a blank`, 'visible ASCII characters only'],
  ['MASTER_KEY', `${needed.MASTER_KEY}\n`, 'visible ASCII characters only'],
  ['MASTER_KEY', `${needed.MASTER_KEY}\u00e9`, 'visible ASCII characters only'],
  ['DATABASE_URL', 'postgresql://user:pass/word@localhost/gateway', databaseUrl],
  ['DATABASE_URL', 'postgresql://user:pass%word@localhost/gateway', databaseUrl],
  ['DATABASE_URL', 'postgresql://localhost', databaseUrl],
  ['DATABASE_URL', 'gateway', databaseUrl],
  ['REDIS_URL', 'redis://:a%b@localhost', redisUrl],
  ['REDIS_URL', 'http://localhost', redisUrl],
  ['TEMPORAL_ADDRESS', 'http://localhost:7233', 'a host and a port, like temporal:7233'],
  ['UPSTREAM_BASE_URL', 'localhost:4000', 'an http or https URL'],
  ['UPSTREAM_BASE_URL', 'ftp://localhost:4000', 'an http or https URL'],
  ['UPSTREAM_MASTER_KEY', 'sk-from-a-file\n', 'visible ASCII characters only'],
  ['UPSTREAM_TIMEOUT_SECONDS', '86401', 'at most 86400'],
])('%s=%j is refused without being shown', (name, value, message) => {
  expect(() => loadConfig({ ...needed, [name]: value })).toThrow(
    new Error(`The settings are not complete:\n  ${name}: ${message}`),
  );
});

test('what is needed is enough, and a call may take a day', () => {
  const config = loadConfig({ ...needed, UPSTREAM_TIMEOUT_SECONDS: '86400' });

  expect(config).toMatchObject({ MASTER_KEY: needed.MASTER_KEY, PORT: 8000, UPSTREAM_TIMEOUT_SECONDS: 86_400 });
});
