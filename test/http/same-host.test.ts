import { hasAuthority } from '../../src/http/same-host.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { browserIn } from './sessions/browser.ts';

const same: [origin: string, host: string][] = [
  ['http://localhost:8000', 'localhost:8000'],
  ['http://localhost:8000', 'LOCALHOST:8000'],
  ['http://localhost:8000', 'localhost.:8000'],
  ['http://localhost.:8000', 'LocalHost:8000'],
  ['http://localhost:8000', 'localhost:08000'],
  ['http://localhost', 'localhost:80'],
  ['http://localhost', 'localhost:'],
  ['http://localhost:80', 'localhost'],
  ['https://gateway.example', 'gateway.example:443'],
  ['https://gateway.example:443', 'Gateway.Example.'],
  ['http://[::1]:8000', '[0:0:0:0:0:0:0:1]:8000'],
  ['http://[::1]:8000', '[::0001]:8000'],
  ['http://127.0.0.1:8000', '[::ffff:127.0.0.1]:8000'],
  ['http://127.0.0.1:8000', '127.1:8000'],
  ['https://xn--bcher-kva.example', 'BÜCHER.example'],
  ['https://xn--bcher-kva.example', 'XN--BCHER-KVA.EXAMPLE:443'],
];
const different: [origin: string | undefined, host: string | undefined][] = [
  ['http://localhost:8000', 'localhost:8001'],
  ['http://localhost:8000', 'localhost'],
  ['https://localhost', 'localhost:80'],
  ['http://localhost', 'localhost:443'],
  ['http://localhost:8000', '127.0.0.1:8000'],
  ['http://evil.example:8000', 'localhost:8000'],
  ['http://localhost.evil.example:8000', 'localhost:8000'],
  ['http://evil.example', 'gateway.example'],
  ['null', 'localhost:8000'],
  ['null', 'null'],
  ['file://', ''],
  ['', ''],
  ['chrome-extension://localhost:8000', 'localhost:8000'],
  ['not a url', 'localhost:8000'],
  [undefined, undefined],
  ['http://localhost:8000', undefined],
  ['http://localhost:8000', 'local host:8000'],
];

test.each(same)('the origin %p is that of the host %p', (origin, host) => {
  expect(hasAuthority(origin, host)).toBe(true);
});

test.each(different)('the origin %p is not that of the host %p', (origin, host) => {
  expect(hasAuthority(origin, host)).toBe(false);
});

const gateway = gatewayForTests({ worker: false, settings: { TRUST_PROXY: 'on' } });
const given = givenIn(gateway);
const browser = browserIn(gateway);

/** The status of a sign-out by a page of `origin`. */
async function signOut(origin: string, headers: Record<string, string>): Promise<number> {
  const { cookie } = await browser.signedIn({ virtual_key: (await given.team()).key });
  const request = rawRequest('DELETE /api/session', { Cookie: cookie, 'X-Console': '1', Origin: origin, ...headers });
  const { received } = await sendRaw(gateway.current.url, request, (all) => all.endsWith('}'));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
}

test.each<[string, string, Record<string, string>, number]>([
  ['upper case', 'http://localhost:8000', { Host: 'LOCALHOST:8000' }, 200],
  ['a dot at its end', 'http://localhost:8000', { Host: 'localhost.:8000' }, 200],
  ['the port of its scheme', 'http://localhost', { Host: 'localhost:80' }, 200],
  ['an address written out', 'http://[::1]:1', { Host: '[0:0:0:0:0:0:0:1]:1' }, 200],
  ['another port', 'http://localhost:8001', { Host: 'localhost:8000' }, 403],
  ['no origin of the page', 'null', { Host: 'localhost:8000' }, 403],
  [
    'a name stated by a proxy',
    'https://gateway.example',
    { Host: 'localhost', 'X-Forwarded-Host': 'Gateway.Example:443' },
    200,
  ],
  [
    'the first of several names',
    'https://a.example',
    { Host: 'localhost', 'X-Forwarded-Host': 'a.example, b.example' },
    200,
  ],
])(
  'a request by cookie of a page without Sec-Fetch-Site, whose host has %s, is answered by the equality of hosts (spec 19.3)',
  async (_, origin, headers, status) => {
    expect(await signOut(origin, headers)).toBe(status);
  },
);
