import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { createGuardedConnector, type Resolve } from '../../src/webhook-delivery/guard-connections.ts';
import { sendWebhook } from '../../src/webhook-delivery/send-webhook.ts';
import { openPolicy, publicPolicy } from './policies.ts';
import { spelledFor } from './private-spellings.ts';
import { answering, closeReceivers, type Receiver, startReceiver } from './receiver.ts';

let canary: Receiver;
beforeAll(async () => {
  canary = await startReceiver();
});
afterAll(closeReceivers);

/** Destroyed at the end: a connection attempt to an address that does not respond lasts for 10 s, and would keep the test process. */
const sockets: Socket[] = [];
const collectSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
beforeAll(() => subscribe('net.client.socket', collectSocket));
afterAll(() => {
  unsubscribe('net.client.socket', collectSocket);
  for (const socket of sockets) socket.destroy();
});

beforeEach(() => {
  canary.connections = 0;
});

const body = '{}';
const refused = 'the host was not found or must not be connected to';
/** In the public range, in a block that IANA has not assigned. */
const publicAddress = { address: '2d00::1', family: 6 };
const loopback = { address: '127.0.0.1', family: 4 };

/** A name server that returns these answers in turn, and the last one from then on. */
function nameServer(...answers: LookupAddress[][]): { resolve: Resolve; queries: string[] } {
  const queries: string[] = [];
  const resolve: Resolve = async (hostname) => {
    queries.push(hostname);
    return answers[Math.min(queries.length, answers.length) - 1]!;
  };
  return { resolve, queries };
}

test('a receiver on the loopback is reached if private networks are allowed', async () => {
  const answer = await sendWebhook(createGuardedConnector(openPolicy), { url: canary.url, headers: {}, body });

  expect(answer).toMatchObject({ statusCode: 200, error: null });
  expect(canary.connections).toBe(1);
});

test('no spelling of a private address is connected to, even if its URL was not checked before', async () => {
  const { resolve } = nameServer([loopback]);
  const connect = createGuardedConnector(publicPolicy, resolve);
  const urls = spelledFor(canary.port).filter((url) => URL.canParse(url));

  const answers = await Promise.all(urls.map((url) => sendWebhook(connect, { url, headers: {}, body })));

  expect(urls.length).toBeGreaterThan(60);
  expect(answers.filter(({ error }) => error === null)).toEqual([]);
  expect(canary.connections).toBe(0);
});

test.each<[string, LookupAddress[]]>([
  ['the loopback', [loopback]],
  ['the loopback of IPv6', [{ address: '::1', family: 6 }]],
  ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ['a private address among public ones', [publicAddress, loopback]],
])('a public name that leads to %s is refused', async (_, addresses) => {
  const { resolve, queries } = nameServer(addresses);
  const url = `http://hooks.example.com:${canary.port}/`;

  const answer = await sendWebhook(createGuardedConnector(publicPolicy, resolve), { url, headers: {}, body });

  expect(answer).toMatchObject({ statusCode: null, error: refused });
  expect(queries).toEqual(['hooks.example.com']);
  expect(canary.connections).toBe(0);
});

test('a name that resolves to another address each time is looked up once per connection, and never connected to a private address', async () => {
  const { resolve, queries } = nameServer([publicAddress], [loopback], [publicAddress], [loopback]);
  const connect = createGuardedConnector(publicPolicy, resolve);
  const url = `http://rebinding.example.com:${canary.port}/`;

  const answers = [];
  for (let attempt = 1; attempt <= 4; attempt++)
    answers.push(await sendWebhook(connect, { url, headers: {}, body }, 300));

  expect(queries).toHaveLength(4);
  expect(answers[1]!.error).toBe(refused);
  expect(answers[3]!.error).toBe(refused);
  expect(canary.connections).toBe(0);
});

test('an attempt whose name server never answers times out', async () => {
  const { promise: silence, reject: endLookup } = Promise.withResolvers<never>();
  const connect = createGuardedConnector(publicPolicy, () => silence);

  const answer = await sendWebhook(connect, { url: 'http://slow.example.com/', headers: {}, body }, 200);
  endLookup(new Error('the test is over'));

  expect(answer).toMatchObject({ statusCode: null, error: 'timed out' });
});

test('a redirect to a private address is not followed', async () => {
  const outside = await startReceiver(answering(307, { location: `${canary.url}/admin` }));

  const answer = await sendWebhook(createGuardedConnector(openPolicy), { url: outside.url, headers: {}, body });

  expect(answer).toMatchObject({ statusCode: 307, error: 'HTTP 307: redirects are not followed' });
  expect(outside.connections).toBe(1);
  expect(canary.connections).toBe(0);
});

describe('the error does not show whether the private network has a name or address', () => {
  const fails = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };
  const denying = { ...publicPolicy, deniedNetworks: ['2d00::/16'] };

  test.each<[string, Parameters<typeof createGuardedConnector>]>([
    ['a name that does not exist', [publicPolicy, fails('ENOTFOUND')]],
    ['a name without an address', [publicPolicy, async () => []]],
    ['a name server that fails', [publicPolicy, fails('ESERVFAIL')]],
    ['a name server that cannot be reached', [publicPolicy, fails('ECONNREFUSED')]],
    ['a name server that does not answer', [publicPolicy, fails('ETIMEOUT')]],
    ['a private address', [publicPolicy, async () => [loopback]]],
    ['a denied address', [denying, async () => [publicAddress]]],
    ['a name that the system resolver does not find', [openPolicy]],
  ])('%s fails with the common message (spec 11.11)', async (_, guard) => {
    const url = `http://no-such-host.invalid:${canary.port}/`;

    expect(await sendWebhook(createGuardedConnector(...guard), { url, headers: {}, body })).toMatchObject({
      statusCode: null,
      error: refused,
    });
    expect(canary.connections).toBe(0);
  });
});

test('a denied network is not connected to, by name or address, even if private networks are allowed', async () => {
  const connect = createGuardedConnector({ ...openPolicy, deniedNetworks: ['127.0.0.0/8'] });
  const hosts = ['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'];

  const answers = await Promise.all(
    hosts.map((host) => sendWebhook(connect, { url: `http://${host}:${canary.port}/`, headers: {}, body })),
  );

  expect(answers).toMatchObject(hosts.map(() => ({ statusCode: null, error: refused })));
  expect(canary.connections).toBe(0);
});

test('a port that is not allowed is not connected to, even if private networks are allowed', async () => {
  const connect = createGuardedConnector({ ...openPolicy, ports: [[443, 443]] });

  const answer = await sendWebhook(connect, { url: canary.url, headers: {}, body });

  expect(answer).toMatchObject({ statusCode: null, error: 'the port must not be connected to' });
  expect(canary.connections).toBe(0);
});
