import { randomBytes } from 'node:crypto';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { browserIn } from './browser.ts';

const settings = { MASTER_KEY: randomBytes(32).toString('hex') };
const first = gatewayForTests({ worker: false, settings });
const second = gatewayForTests({ worker: false, settings });
const fromPage = { 'sec-fetch-site': 'same-origin', 'x-console': '1' };

const signedIn = async (gateway: typeof first) =>
  (await browserIn(gateway).signedIn({ virtual_key: (await givenIn(gateway).team()).key })).cookie;
const send = (gateway: typeof first, method: string, cookie: string) =>
  sendRequest(gateway.current.url, method, '/api/session', { headers: { cookie, ...fromPage } });

test.each([
  'session=of-another-program',
  '__Host-session=of-another-program',
  `session=team_${'A'.repeat(43)}`,
  'session=eyJhbGciOiJIUzI1NiJ9.e30.c2ln; theme=dark',
  `gateway-session-0123456789=team_${'A'.repeat(43)}`,
  '__Host-gateway-session-0123456789=x',
])(
  'the cookie %s of another program is no session, is not cleared, and leaves the own one valid (spec 19.3)',
  async (other) => {
    const own = await signedIn(first);

    const without = await send(first, 'get', other);

    expect(without.status).toBe(401);
    expect(without.headers.get('set-cookie')).toBeNull();
    for (const cookie of [`${other}; ${own}`, `${own}; ${other}`])
      expect((await send(first, 'get', cookie)).status).toBe(200);
    const out = await send(first, 'delete', `${other}; ${own}`);
    expect(expectOk(out)).toBeDefined();
    expect(out.headers.getSetCookie().map((one) => one.split('=')[0])).toEqual([own.split('=')[0]]);
  },
);

test('two gateways on one host have cookies of different names, also with one MASTER_KEY, and leave each other signed in (spec 19.1)', async () => {
  const [one, other] = [await signedIn(first), await signedIn(second)];
  const jar = `${one}; ${other}`;

  expect(one.split('=')[0]).not.toBe(other.split('=')[0]);
  for (const gateway of [first, second]) expect((await send(gateway, 'get', jar)).status).toBe(200);
  expectOk(await send(first, 'delete', jar));
  expect((await send(first, 'get', jar)).status).toBe(401);
  expect((await send(second, 'get', jar)).status).toBe(200);
});

test('a session that has ended does not hide a later one whose cookie has the same name (spec 19.3)', async () => {
  const [ended, live] = [await signedIn(first), await signedIn(first)];
  await send(first, 'delete', ended);

  for (const cookie of [`${ended}; ${live}`, `${live}; ${ended}`])
    expect((await send(first, 'get', cookie)).status).toBe(200);
  expect((await send(first, 'get', ended)).headers.get('set-cookie')).toMatch(/Max-Age=0$/);
});
