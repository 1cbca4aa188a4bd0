import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { type Browser, browserIn } from './browser.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const tokenIn = ({ cookie }: Browser): string => cookie.slice(cookie.indexOf('=') + 1);
const cookieOf = (token: string): string => `${cookieName}=${token}`;
let cookieName: string;
beforeAll(async () => {
  [cookieName] = (await browser.signedIn({ virtual_key: (await given.team()).key })).cookie.split('=') as [string];
});
const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  sendRequest(gateway.current.url, method, path, { headers, body });

const fromPage = { 'sec-fetch-site': 'same-origin', 'x-console': '1' };
const ended = { status: 401, body: { detail: 'The session has ended: sign in again' } };

async function adminInBrowser(role = 'admin'): Promise<{ email: string; session: Browser }> {
  const { email } = await admins.created({ role });
  return { email, session: await browser.signedIn({ email, password: goodPassword }) };
}

test.each<[string, (token: string) => Record<string, string>]>([
  ['a bearer token', (token) => ({ authorization: `Bearer ${token}` })],
  ['a bearer token beside its own cookie', (token) => ({ authorization: `Bearer ${token}`, cookie: cookieOf(token) })],
  [
    "a bearer token with the headers of the console's page",
    (token) => ({ authorization: `Bearer ${token}`, ...fromPage }),
  ],
  ['the platform key', (token) => ({ 'x-admin-key': token })],
  ['the platform key beside its own cookie', (token) => ({ 'x-admin-key': token, cookie: cookieOf(token) })],
])("the token of an admin's cookie is no credential when it is sent as %s (spec 19.3)", async (_, headersOf) => {
  const team = await given.team();
  const { session } = await adminInBrowser();
  const headers = headersOf(tokenIn(session));

  const answers = [
    await send('get', '/api/session', headers),
    await send('get', `/api/teams/${team.teamId}`, headers),
    await send('get', '/api/events', headers),
    await send('post', '/api/organizations/create', headers, { organization_id: 'forged', name: 'Forged' }),
    await send('delete', '/api/session', headers),
    await send('get', '/api/admin-users/me', headers),
  ];

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  expect(JSON.stringify(answers)).not.toContain(team.key);
  expect((await session.get('/api/session')).status).toBe(200);
});

test('the token of a cookie is no credential in a query string (spec 19.3)', async () => {
  const { session } = await adminInBrowser();
  const token = tokenIn(session);

  for (const name of ['access_token', 'token', 'authorization', 'session', 'key'])
    expect((await send('get', `/api/session?${name}=${token}`, {})).status).not.toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['without headers of the console', {}],
  ["with the headers of the console's page", fromPage],
])('the access token of a login %s is no session in a cookie (spec 2.8)', async (_, headers) => {
  const { email } = await admins.created({ role: 'admin' });
  const body = { email, password: goodPassword };
  const login = await send('post', '/api/admin-users/login', headers, body);
  const { access_token: token } = expectOk(login);

  expect(login.headers.get('set-cookie')).toBeNull();
  expect(await send('get', '/api/session', { cookie: cookieOf(token), ...fromPage })).toMatchObject(ended);
  expect(await send('get', '/api/events', { cookie: cookieOf(token), ...fromPage })).toMatchObject(ended);
  expect(await send('post', '/api/organizations/create', { cookie: cookieOf(token), ...fromPage }, {})).toMatchObject(
    ended,
  );
  expect((await send('get', '/api/session', { authorization: `Bearer ${token}` })).status).toBe(200);
});

test("a team's token of a cookie is no bearer token, and its key is no session in a cookie (spec 2.8)", async () => {
  const team = await given.team();
  const session = await browser.signedIn({ virtual_key: team.key });

  expect((await send('get', '/api/session', { authorization: `Bearer ${tokenIn(session)}` })).status).toBe(401);
  expect((await send('get', '/api/session', { 'x-admin-key': tokenIn(session) })).status).toBe(401);
  expect(await send('get', '/api/session', { cookie: cookieOf(team.key), ...fromPage })).toMatchObject(ended);
});

test('no answer to a request by cookie has a token in its body (spec 19.1)', async () => {
  const { session } = await adminInBrowser();
  const token = tokenIn(session);

  const answers = [
    session.session,
    await session.get('/api/session'),
    await session.get('/api/admin-users/me/sessions'),
  ];

  expect(JSON.stringify(answers)).not.toContain(token);
});

test('the list of own sessions names the kind of each (spec 19.10)', async () => {
  const { email, session } = await adminInBrowser();
  await admins.token(email);

  const { sessions } = expectOk(await session.get('/api/admin-users/me/sessions'));

  expect(sessions.map(({ kind, is_current }: { kind: string; is_current: boolean }) => [kind, is_current])).toEqual([
    ['token', false],
    ['cookie', true],
  ]);
});

test("a password that is changed by cookie ends the user's sessions of both kinds but this one (spec 12.9)", async () => {
  const { email, session } = await adminInBrowser();
  const other = await browser.signedIn({ email, password: goodPassword });
  const token = await admins.token(email);

  const body = { current_password: goodPassword, new_password: 'nine purple teapots humming' };
  expectOk(await session.send('post', '/api/admin-users/me/change-password', { body }));

  const statuses = [
    (await session.get('/api/session')).status,
    (await other.get('/api/session')).status,
    (await send('get', '/api/session', { authorization: `Bearer ${token}` })).status,
    (await send('get', '/api/session', { authorization: `Bearer ${tokenIn(session)}` })).status,
  ];
  expect(statuses).toEqual([200, 401, 401, 401]);
});

test('a session without a kind, from before there were kinds, has ended', async () => {
  const { email, session } = await adminInBrowser();
  const token = await admins.token(email);
  await gateway.current.deps.database.pool.query(
    'update admin_sessions set kind = null where user_id = (select user_id from admin_users where email = $1)',
    [email],
  );

  expect(await session.get('/api/session')).toMatchObject(ended);
  expect((await send('get', '/api/session', { authorization: `Bearer ${token}` })).status).toBe(401);
});
