import { routes } from '../../src/http/routes.ts';
import { adminsIn, goodPassword } from '../http/admin-users/admins.ts';
import { type Browser, browserIn } from '../http/sessions/browser.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { type Json, sendRequest } from '../support/send-request.ts';

const origin = 'https://chat.example.com';
const gateway = gatewayForTests({
  worker: false,
  settings: { CORS_ORIGINS: `${origin},http://localhost:3000` },
});
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

let team: GivenTeam;
let ofTeam: Browser;
let owner: Browser;
beforeAll(async () => {
  team = await given.team();
  ofTeam = await browser.signedIn({ virtual_key: team.key });
  const { email } = await admins.created({ role: 'owner' });
  owner = await browser.signedIn({ email, password: goodPassword });
});

const host = () => new URL(gateway.current.url).host;
const request = (cookie: string, method: string, path: string, headers: Record<string, string>, body?: Json) =>
  sendRequest(gateway.current.url, method, path, { headers: { cookie, ...headers }, body });
const crossSite = { status: 403, body: { detail: 'The request was not sent by a page of this service' } };

const unsafe = routes
  .map(({ spec }) => spec)
  .filter(({ access, method }) => access.audience.length > 0 && method !== 'get')
  .map(({ method, path }) => [method, path] as const);

test.each(unsafe)(
  '%s %s by cookie is refused unless a page of the service sent it (spec 19.3)',
  async (method, path) => {
    const concrete = path.replaceAll(/\{(\w+)\}/g, 'x');
    const foreign: Record<string, string>[] = [
      {},
      { 'x-console': '1' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site', 'x-console': '1' },
    ];

    for (const headers of foreign) {
      const answer = await request(owner.cookie, method, concrete, headers);
      expect([headers, answer.status]).toEqual([headers, 403]);
    }
  },
);

test.each<[string, () => Record<string, string>]>([
  ['without X-Console', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['with another X-Console', () => ({ 'sec-fetch-site': 'same-origin', 'x-console': 'true' })],
  ['with an empty X-Console', () => ({ 'sec-fetch-site': 'same-origin', 'x-console': '' })],
  ['of another site', () => ({ 'sec-fetch-site': 'cross-site', 'x-console': '1' })],
  ['of another origin of the site', () => ({ 'sec-fetch-site': 'same-site', 'x-console': '1' })],
  ['from the address bar', () => ({ 'sec-fetch-site': 'none', 'x-console': '1' })],
  ['of an unknown site', () => ({ 'sec-fetch-site': 'Same-Origin', 'x-console': '1' })],
  [
    'of another site, with an Origin that is the host',
    () => ({ 'sec-fetch-site': 'cross-site', origin: `http://${host()}`, 'x-console': '1' }),
  ],
  ['without Sec-Fetch-Site and Origin', () => ({ 'x-console': '1' })],
  ['with another Origin', () => ({ origin, 'x-console': '1' })],
  ['with an Origin of another port', () => ({ origin: 'http://127.0.0.1:1', 'x-console': '1' })],
  ['with the Origin null', () => ({ origin: 'null', 'x-console': '1' })],
  ['with an Origin that is no URL', () => ({ origin: host(), 'x-console': '1' })],
  ['with an Origin that begins like the host', () => ({ origin: `http://${host()}.example.com`, 'x-console': '1' })],
  [
    'with an Origin that has the host as its user',
    () => ({ origin: `http://${host()}@example.com`, 'x-console': '1' }),
  ],
])('a sign-out by cookie %s is a 403 and leaves the session', async (_what, headers) => {
  expect(await request(ofTeam.cookie, 'delete', '/api/session', headers())).toMatchObject(crossSite);
  expect((await ofTeam.get('/api/session')).status).toBe(200);
});

test('an Origin that is the host stands for a missing Sec-Fetch-Site', async () => {
  const session = await browser.signedIn({ virtual_key: team.key });
  const headers = { origin: `http://${host()}`, 'x-console': '1' };

  expectOk(await request(session.cookie, 'delete', '/api/session', headers));
});

test.each<[string, Record<string, string>]>([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another origin of the site', { 'sec-fetch-site': 'same-site' }],
  ['another origin, by Origin', { origin }],
])('a cookie that a page of %s sends is not read (spec 19.3)', async (_what, headers) => {
  const answer = await request(ofTeam.cookie, 'get', '/api/jobs', headers);

  expect(answer).toMatchObject({ status: 401, body: { detail: 'Missing API key' } });
});

test('no answer allows another origin to send the cookie, also one of CORS_ORIGINS (spec 19.3)', async () => {
  const preflight = await sendRequest(gateway.current.url, 'options', '/api/session', {
    headers: {
      origin,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-console',
    },
  });
  const read = await request(ofTeam.cookie, 'get', '/api/session', { origin, 'sec-fetch-site': 'cross-site' });

  for (const { headers } of [preflight, read]) expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(read.status).toBe(401);
});

test.each<[string, Record<string, string>]>([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another origin of the site', { 'sec-fetch-site': 'same-site' }],
  ['another origin, by Origin', { origin }],
])('a page of %s cannot sign a person in', async (_what, headers) => {
  const answer = await browser.signIn({ virtual_key: team.key }, headers);

  expect(answer).toMatchObject(crossSite);
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('a cookie beside another credential is not read, whether that credential is accepted or refused (spec 19.3)', async () => {
  const { cookie } = owner;
  const wrong: Record<string, string>[] = [
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic x' },
    { 'x-admin-key': 'wrong' },
  ];

  for (const headers of wrong) {
    for (const path of ['/api/teams', '/api/session', '/api/admin-users/me', '/v1/models'])
      expect([path, (await request(cookie, 'get', path, headers)).status]).toEqual([path, 401]);
  }
  const asPlatform = await request(cookie, 'get', '/api/session', { 'x-admin-key': gateway.current.masterKey });
  expect(asPlatform.body).toMatchObject({ kind: 'admin', user: null });
  const bearer = { authorization: `Bearer ${team.key}` };
  expect((await request(cookie, 'get', '/api/session', bearer)).body.kind).toBe('team');
});

test('requests with a bearer token need no header of the console', async () => {
  const body = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/x', events: ['job.failed'] };
  const headers = { cookie: owner.cookie, 'sec-fetch-site': 'cross-site', origin };

  const answer = await sendRequest(gateway.current.url, 'post', '/api/webhooks/register', {
    key: team.key,
    headers,
    body,
  });

  expect(answer.status).toBe(200);
});

test.each([
  'NAME=',
  'NAME=x',
  'NAME=team_',
  `NAME=team_${'A'.repeat(43)}`,
  `NAME=team_${'A'.repeat(44)}`,
  'NAME=eyJhbGciOiJub25lIn0.e30.',
  `NAME=${'x'.repeat(8_000)}`,
  'Name=x; other=1',
  '=;;;NAME',
])('the cookie "%s" is a 401', async (cookie) => {
  const [name] = ofTeam.cookie.split('=');

  expect((await request(cookie.replace('NAME', name!), 'get', '/api/session', {})).status).toBe(401);
});

test('neither MASTER_KEY nor a virtual key is accepted as the cookie', async () => {
  const [name] = ofTeam.cookie.split('=');

  for (const token of [gateway.current.masterKey, team.key])
    expect((await request(`${name}=${token}`, 'get', '/api/session', {})).status).toBe(401);
});

test("the token of a team's session is no bearer token", async () => {
  const [, token] = ofTeam.cookie.split('=');

  const answer = await sendRequest(gateway.current.url, 'get', '/api/jobs', { key: token! });

  expect(answer.status).toBe(401);
});

test('the cookie is found among others, and among several of its name (spec 19.3)', async () => {
  const { cookie } = ofTeam;

  for (const header of [
    `a=1; ${cookie}; b=2`,
    `theme=dark;${cookie}`,
    `${cookie}; ${cookie}x`,
    `${cookie}x; ${cookie}`,
  ])
    expect((await request(header, 'get', '/api/session', {})).status).toBe(200);
});

test('an answer to a request by cookie forbids caching and varies by the cookie (spec 19.3)', async () => {
  const listed = await ofTeam.get('/api/jobs');
  const secret = await owner.get(`/api/teams/${team.teamId}`);

  expect(listed.headers.get('cache-control')).toBe('private, no-store');
  expect(secret.headers.get('cache-control')).toBe('no-store');
  for (const { headers } of [listed, secret]) expect(headers.get('vary')).toMatch(/Authorization, X-Admin-Key, Cookie/);
});

test('the tokens of sessions are stored as digests only', async () => {
  const { pool } = gateway.current.deps.database;
  const { rows } = await pool.query('select * from team_sessions');
  const { rows: ofAdmins } = await pool.query('select * from admin_sessions');

  const stored = JSON.stringify(
    [rows, ofAdmins].map((all) => all.map((row) => ({ ...row, token_hash: [...row.token_hash] }))),
  );
  for (const { cookie } of [ofTeam, owner]) expect(stored).not.toContain(cookie.split('=')[1]!.split('.').at(-1));
});
