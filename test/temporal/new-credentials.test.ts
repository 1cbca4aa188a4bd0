import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { loadConfig } from '../../src/config.ts';
import { temporalAddress } from '../../src/temporal/connection/open-temporal.ts';
import { makeCertificates } from '../support/certificates.ts';
import { startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'job-gateway-tls-'));
const file = (name: string) => join(folder, name);
let server: Server;
/** The names in the certificates of the clients that have connected. */
const seen: string[] = [];
const sockets: TLSSocket[] = [];

const use = (name: string) => {
  copyFileSync(file(`${name}.key`), file('client.key'));
  copyFileSync(file(`${name}.pem`), file('client.pem'));
};

beforeAll(async () => {
  makeCertificates(folder, ['server', 'first', 'second'], 'localhost');
  use('first');
  const [host, port] = services.temporalAddress.split(':');
  const read = (name: string) => readFileSync(file(name));
  const options = { key: read('server.key'), cert: read('server.pem'), ca: read('ca.pem') };
  server = createServer(
    { ...options, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    (client: TLSSocket) => {
      sockets.push(client);
      seen.push(String(client.getPeerCertificate().subject.CN));
      const upstream = connect(Number(port), host);
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy());
      client.once('close', () => upstream.destroy());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
  rmSync(folder, { recursive: true });
});

test('a client certificate that is replaced while api and worker run is used from then on, and calls go on (spec 15.6)', async () => {
  const { port } = server.address() as { port: number };
  const gateway = await startGateway({
    settings: {
      TEMPORAL_ADDRESS: `localhost:${port}`,
      TEMPORAL_TLS_CA: file('ca.pem'),
      TEMPORAL_TLS_CERT: file('client.pem'),
      TEMPORAL_TLS_KEY: file('client.key'),
    },
  });
  try {
    const current = { current: gateway };
    const team = await givenIn(current).team();
    expectOk(await as(current, team).single());
    expect(new Set(seen)).toEqual(new Set(['first']));

    use('second');

    // One for the api, one for the worker's commands and one for its tasks.
    await until(() => seen.filter((name) => name === 'second').length >= 3, Boolean, 30_000);
    expectOk(await as(current, team).single());
  } finally {
    await gateway.close();
  }
}, 60_000);

test('a new content of TEMPORAL_API_KEY_FILE is the API key of each connection that is opened after the change (spec 15.6)', () => {
  const settings = {
    MASTER_KEY: 'a-platform-key-of-32-characters!',
    DATABASE_URL: 'postgres://localhost/gateway',
    REDIS_URL: 'redis://localhost',
    TEMPORAL_ADDRESS: 'localhost:7233',
    UPSTREAM_BASE_URL: 'http://localhost:4000',
    TEMPORAL_API_KEY_FILE: file('api-key'),
  };
  writeFileSync(file('api-key'), 'first\n');
  const config = loadConfig(settings);
  expect(temporalAddress(config).apiKey).toBe('first');

  writeFileSync(file('api-key'), 'second\n');

  expect(temporalAddress(config).apiKey).toBe('second');
});
