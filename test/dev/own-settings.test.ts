import { keepOwnSettings } from '../../tools/dev/own-settings.ts';

const shell = {
  PGSSLMODE: 'require',
  PGOPTIONS: '-c search_path=elsewhere',
  PGHOST: 'db',
  TEMPORAL_API_KEY: 'key',
  TEMPORAL_API_KEY_FILE: '/key',
  TEMPORAL_TLS_CA: '/ca',
  TEMPORAL_TLS_SERVER_NAME: 'temporal',
};
const ours = { TEMPORAL_NAMESPACE: 'own', PGP_KEY: 'x', PATH: '/bin', HTTPS_PROXY: 'http://proxy' };

const kept = (environment: NodeJS.ProcessEnv) => {
  const all = { ...environment };
  keepOwnSettings(all);
  return all;
};
const names = (environment: NodeJS.ProcessEnv) => Object.keys(environment).filter((name) => name in shell);

test.each([
  ['without servers of their own, variables of their clients are dropped', {}, []],
  ['with a database of its own, those of PostgreSQL stay', { DATABASE_URL: 'postgresql://db' }, /^PG/],
  ['with a Temporal of its own, those of Temporal stay', { TEMPORAL_ADDRESS: 'temporal:7233' }, /^TEMPORAL/],
])('%s', (_, configured, stay) => {
  const found = kept({ ...shell, ...ours, ...configured });

  const expected = Object.keys(shell).filter((name) => stay instanceof RegExp && stay.test(name));
  expect(names(found)).toEqual(expected);
  expect(found).toMatchObject(ours);
});

test.each([
  [{}, '127.0.0.1,localhost,::1'],
  [{ NO_PROXY: 'example.com, localhost' }, 'example.com,localhost,127.0.0.1,::1'],
  [{ no_proxy: 'example.com' }, 'example.com,127.0.0.1,localhost,::1'],
])('with %j no proxy is between programs of this machine', (shellHas, expected) => {
  const { NO_PROXY, no_proxy, no_grpc_proxy } = kept(shellHas);

  expect([NO_PROXY, no_proxy, no_grpc_proxy]).toEqual([expected, expected, expected]);
});
