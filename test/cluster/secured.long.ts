import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Installation, openInstallation } from '../faults/support/installation.ts';
import { makeCertificates } from '../support/certificates.ts';
import { type Cluster, openCluster } from './support/cluster.ts';
import type { Security } from './support/server-config.ts';
import { openTokenIssuer } from './support/token-issuer.ts';
import { startWatchedLoad } from './support/watched-load.ts';

const folder = mkdtempSync(join(tmpdir(), 'job-gateway-secured-'));
const file = (name: string) => join(folder, name);
const serverName = 'temporal.cluster.test';
makeCertificates(folder, ['server', 'client'], serverName);
afterAll(() => rmSync(folder, { recursive: true }));

const certificates: Security['certificates'] = {
  authority: file('ca.pem'),
  certificate: file('server.pem'),
  key: file('server.key'),
  serverName,
};
const ofServer = { TEMPORAL_TLS_CA: file('ca.pem'), TEMPORAL_TLS_SERVER_NAME: serverName };
const cliOfServer = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem'), TEMPORAL_TLS_SERVER_NAME: serverName };

/** Calls of an installation with these settings are answered, and the same settings without the credential are refused. */
async function expectCalls(cluster: Cluster, settings: Record<string, string>): Promise<void> {
  const installation: Installation = await openInstallation({
    apis: 2,
    workers: 2,
    settings: { TEMPORAL_ADDRESS: cluster.address, TEMPORAL_NAMESPACE: cluster.namespace, ...ofServer, ...settings },
  });
  try {
    const { checker } = installation;
    checker.watch();
    await using load = await startWatchedLoad(installation);
    await load.turns(40);
    for (const worker of installation.workers) {
      worker.kill();
      await worker.ready();
    }
    await load.turns(20);
    await load.stop();

    expect(await checker.conclude()).toEqual([]);
    expect(load.client.statuses[200]).toBeGreaterThanOrEqual(60);
  } finally {
    await installation.close();
  }
}

test('on a Temporal cluster that requires certificates, api and worker that have one make calls, also after workers were killed (operations 4.2)', async () => {
  const own = { TEMPORAL_TLS_CERT: file('client.pem'), TEMPORAL_TLS_KEY: file('client.key') };
  const cliEnvironment = {
    ...cliOfServer,
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key'),
  };
  const cluster = await openCluster({ security: { certificates, by: 'certificate' }, cliEnvironment });
  try {
    await expectCalls(cluster, own);
  } finally {
    await cluster.close();
  }
}, 300_000);

test("on a Temporal cluster with the server's own authorizer, api and worker whose API key may write to the namespace alone make calls (operations 4.2)", async () => {
  const issuer = await openTokenIssuer();
  const admin = issuer.sign('operator', ['temporal-system:admin']);
  const cluster = await openCluster({
    security: { certificates, by: { tokensOf: issuer.keysAt } },
    cliEnvironment: { ...cliOfServer, TEMPORAL_API_KEY: admin },
  });
  try {
    await expectCalls(cluster, {
      TEMPORAL_API_KEY: issuer.sign('gateway', [`${cluster.namespace}:write`, `${cluster.namespace}:worker`]),
    });
  } finally {
    await cluster.close();
    await issuer.close();
  }
}, 300_000);
