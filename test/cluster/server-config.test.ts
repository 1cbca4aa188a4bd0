import { type Ports, roles, serverConfig } from './support/server-config.ts';
import { composeVersion, pinned, previousMinor, sums } from './support/server-programs.ts';

const ports = Object.fromEntries(
  [...roles, 'internal-frontend'].map((role, index) => [role, { grpc: 7_200 + index, membership: 6_900 + index }]),
) as Ports;
const settings = { host: '127.0.0.2', ports, postgresPort: 5_432, postgresUser: 'temporal' } as const;

test('the cluster of the tests is of the version that the compose file starts, and is upgraded from the minor version before it (operations 4.1)', () => {
  const minor = (version: string) => version.split('.').map(Number).slice(0, 2);

  expect(pinned).toBe(composeVersion());
  expect(minor(previousMinor)).toEqual([minor(pinned)[0], minor(pinned)[1]! - 1]);
  for (const sum of Object.values(sums)) expect(sum).toMatch(/^h1:[\w+/]{43}=$/);
});

test('the servers of a host listen on its address, with 16 shards and the dynamic configuration of the compose file (operations 4.1)', () => {
  const config = JSON.parse(serverConfig(settings));

  expect(Object.keys(config.services)).toEqual([...roles]);
  for (const { rpc } of Object.values<{ rpc: { bindOnIP: string } }>(config.services))
    expect(rpc.bindOnIP).toBe('127.0.0.2');
  expect(config.persistence.numHistoryShards).toBe(16);
  expect(config.dynamicConfigClient.filepath).toMatch(/\/deploy\/temporal-dynamic-config\.yaml$/);
});

test('a cluster that requires tokens has a frontend of its own for the servers, which have none', () => {
  const certificates = { authority: 'ca.pem', certificate: 'server.pem', key: 'server.key', serverName: 'temporal' };
  const config = JSON.parse(serverConfig({ ...settings, security: { certificates, by: { tokensOf: 'http://keys' } } }));

  expect(Object.keys(config.services)).toContain('internal-frontend');
  expect(config.global.authorization.jwtKeyProvider.keySourceURIs).toEqual(['http://keys']);
  expect(config.global.tls.frontend.server.requireClientAuth).toBe(false);
});
