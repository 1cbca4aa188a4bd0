import { randomBytes } from 'node:crypto';
import { generateVirtualKey } from '../../../src/auth/virtual-key-format.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { adminsIn, goodPassword, uniqueAddress, uniqueEmail } from '../admin-users/admins.ts';
import { browserIn, cookieIn } from './browser.ts';

const gateway = gatewayForTests({ settings: { TRUST_PROXY: 'on' } });
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const hourMs = 3_600_000;
const from = (address: string) => ({ 'x-forwarded-for': address });
const signIn = (body: unknown, headers = {}) => browser.signIn(body, { ...from(uniqueAddress()), ...headers });
const unknownKey = () => generateVirtualKey(randomBytes(64));

test('an admin user signs in with e-mail and password, and reads who they are (spec 19.1)', async () => {
  const { email, user_id } = await admins.created({ role: 'admin' });

  const answer = await signIn({ email, password: goodPassword });
  const signedIn = await browser.signedIn({ email, password: goodPassword });

  expect(expectOk(answer)).toMatchObject({
    kind: 'admin',
    user: { user_id, email },
    team: null,
    role: 'admin',
    permissions: expect.arrayContaining(['teams:write', 'users:read']),
    idle_timeout_seconds: 3_600,
  });
  expect(Date.parse(answer.body.expires_at) - Date.now()).toBeGreaterThan(23.9 * hourMs);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(JSON.stringify(answer.body)).not.toContain('eyJ');
  const read = expectOk(await signedIn.get('/api/session'));
  expect(read).toMatchObject({ kind: 'admin', user: { user_id }, role: 'admin' });
  expect(expectOk(await signedIn.get('/api/admin-users/me')).user_id).toBe(user_id);
  expect((await readAudit(gateway.current, user_id)).map(({ action }) => action)).toContain('login');
});

test('a team signs in with its virtual key, and reads its own team (spec 19.9)', async () => {
  const team = await given.team();

  const answer = await signIn({ virtual_key: team.key });
  const signedIn = await browser.signedIn({ virtual_key: team.key });

  expect(expectOk(answer)).toMatchObject({
    kind: 'team',
    user: null,
    team: { team_id: team.teamId, organization_id: team.organizationId, organization_name: expect.any(String) },
    role: null,
    permissions: expect.arrayContaining(['jobs:read', 'jobs:cancel', 'webhooks:write']),
  });
  expect(answer.body.permissions).not.toContain('jobs:write');
  const lastsMs = Date.parse(answer.body.expires_at) - Date.now();
  expect(lastsMs).toBeGreaterThan(7.9 * hourMs);
  expect(lastsMs).toBeLessThan(8.1 * hourMs);
  expect(answer.text).not.toContain(team.key);
  expect(expectOk(await signedIn.get('/api/session'))).toMatchObject({ kind: 'team', team: { team_id: team.teamId } });
  expect(expectOk(await signedIn.get('/api/jobs')).total).toBe(0);
  const audited = await readAudit(gateway.current, team.teamId);
  expect(audited[0]).toMatchObject({ action: 'login', resource_type: 'team', user_id: null });
});

test('the cookie over plain http on a loopback address has no Secure, and behind a proxy with https it has the prefix __Host- (spec 19.1)', async () => {
  const team = await given.team();

  const plain = await signIn({ virtual_key: team.key });
  const secure = await signIn({ virtual_key: team.key }, { 'x-forwarded-proto': 'https' });

  expect(plain.headers.get('set-cookie')).toMatch(
    /^gateway-session-[0-9a-f]{10}=team_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect(secure.headers.get('set-cookie')).toMatch(
    /^__Host-gateway-session-[0-9a-f]{10}=team_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('the cookie of plain http is not read over https, where a page of plain http could have set it', async () => {
  const team = await given.team();
  const cookie = cookieIn(await signIn({ virtual_key: team.key }))!;
  const read = (headers: Record<string, string>) => browserGet('/api/session', headers);

  expect((await read({ cookie })).status).toBe(200);
  expect((await read({ cookie, 'x-forwarded-proto': 'https' })).status).toBe(401);
  expect((await read({ cookie: `__Host-${cookie}`, 'x-forwarded-proto': 'https' })).status).toBe(200);
});

const browserGet = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(`${gateway.current.url}${path}`, { headers });
  return { status: response.status, body: await response.json() };
};

test.each<[string, object, string[]]>([
  ['nothing', {}, ['email', 'password']],
  ['null for everything', { email: null, password: null, virtual_key: null }, ['email', 'password']],
  ['only an e-mail', { email: 'grace@example.com' }, ['password']],
  ['only a password', { password: goodPassword }, ['email']],
])('a sign-in with %s is a 422 that names what is missing (spec 19.1)', async (_what, body, fields) => {
  const answer = await signIn(body);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual(
    fields.map((field) => ({ loc: ['body', field], msg: 'Field required', type: 'missing' })),
  );
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test.each<[string, object]>([
  ['a key beside an e-mail', { virtual_key: 'sk-x', email: 'grace@example.com' }],
  ['a key that is a number', { virtual_key: 7 }],
  ['a key of ten thousand characters', { virtual_key: 'k'.repeat(10_000) }],
])('a sign-in with %s is a 422', async (_what, body) => {
  expect((await signIn(body)).status).toBe(422);
});

test.each<[string, () => unknown, string]>([
  ['a wrong password', () => ({ email: uniqueEmail(), password: 'wrong password' }), 'Invalid email or password'],
  ['an unknown key', () => ({ virtual_key: unknownKey() }), 'Invalid API key'],
  ['what is no key', () => ({ virtual_key: 'hello' }), 'Invalid API key'],
  ['an empty key', () => ({ virtual_key: '' }), 'Invalid API key'],
])('a sign-in with %s is a 401 and sets no cookie', async (_what, body, detail) => {
  const answer = await signIn(body());

  expect(answer).toMatchObject({ status: 401, body: { detail } });
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('MASTER_KEY opens no session (spec 19.1)', async () => {
  expect((await signIn({ virtual_key: gateway.current.masterKey })).status).toBe(401);
});

test('the sign-in of a suspended team is a 403 and audited, and that of an ended key a 401 (spec 19.11)', async () => {
  const [suspended, rotated] = [await given.team(), await given.team()];
  await given.admin('post', `/api/teams/${suspended.teamId}/suspend`);
  await given.admin('post', `/api/teams/${rotated.teamId}/rotate-key`, {});

  expect((await signIn({ virtual_key: suspended.key })).status).toBe(403);
  expect((await signIn({ virtual_key: rotated.key })).status).toBe(401);

  const [entry] = await readAudit(gateway.current, suspended.teamId);
  expect(entry).toMatchObject({ action: 'failed_login', details: { refused: 'team_suspended' } });
});

test('the limit for one address is ten wrong keys, and right keys do not count (spec 19.7)', async () => {
  const team = await given.team();
  const address = uniqueAddress();
  const key = (virtual_key: string, from_ = address) => browser.signIn({ virtual_key }, from(from_));
  for (let time = 0; time < 12; time += 1) expect((await key(team.key)).status).toBe(200);

  const wrong = await Promise.all(Array.from({ length: 14 }, () => key(unknownKey())));

  expect(wrong.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
  expect(wrong.find(({ status }) => status === 429)).toMatchObject({ body: { detail: 'Too many failed logins' } });
  expect((await key(team.key)).status).toBe(429);
  expect((await key(team.key, uniqueAddress())).status).toBe(200);
});

test('wrong keys and wrong passwords of one address share its limit of a hundred (spec 19.7)', async () => {
  const address = uniqueAddress();
  const failed = { key: `logins:${address}`, cost: 99, limit: 100, windowMs: 900_000 };
  await gateway.current.deps.rateLimits.take([failed]);

  const first = await browser.signIn({ virtual_key: unknownKey() }, from(address));
  const second = await browser.signIn({ email: uniqueEmail(), password: 'wrong password' }, from(address));

  expect([first.status, second.status]).toEqual([401, 429]);
});

test('a key has at most a hundred sessions, and a further session ends the oldest (spec 19.2)', async () => {
  const team = await given.team();
  const oldest = await browser.signedIn({ virtual_key: team.key });
  const { database } = gateway.current.deps;
  await database.pool.query(
    `insert into team_sessions (session_id, key_hash, token_hash, expires_at)
     select gen_random_uuid(), key_hash, gen_random_uuid()::text::bytea, now() + interval '1 hour'
       from virtual_keys, generate_series(1, 99) where team_id = $1`,
    [team.teamId],
  );

  const newest = await browser.signedIn({ virtual_key: team.key });

  expect((await oldest.get('/api/session')).status).toBe(401);
  expect((await newest.get('/api/session')).status).toBe(200);
});

test('GET /api/session works with every bearer credential too (spec 19.9)', async () => {
  const team = await given.team();
  const owner = await admins.owner();
  const read = async (key: string) => (await browserGet('/api/session', { authorization: `Bearer ${key}` })).body;

  expect(await read(team.key)).toMatchObject({
    kind: 'team',
    expires_at: null,
    permissions: expect.arrayContaining(['jobs:write']),
  });
  expect(await read(owner.token)).toMatchObject({ kind: 'admin', role: 'owner', expires_at: expect.any(String) });
  expect(await read(gateway.current.masterKey)).toMatchObject({ kind: 'admin', user: null, role: null });
});
