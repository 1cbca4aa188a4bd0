import jwt from 'jsonwebtoken';
import { expectOk } from '../../support/given.ts';
import { besideUncommitted } from '../../support/locks.ts';
import { type Admin, adminsIn, gatewayForAdmins } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

const me = (token: string) => admins.send('get', '/me', { token });
const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const invalid = { status: 401, body: { detail: 'Invalid or expired access token' } };

test('a login opens a session of 24 hours (spec 2.8)', async () => {
  const { user_id, email } = await admins.created({ role: 'admin', metadata: { desk: 7 } });

  const answer = await admins.login(email);

  const { access_token, token_type, user } = expectOk(answer);
  expect(token_type).toBe('bearer');
  expect(user).toMatchObject({ user_id, email, role: 'admin', metadata: { desk: 7 } });
  expect(Date.now() - Date.parse(user.last_login)).toBeLessThan(60_000);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(expectOk(await me(access_token))).toEqual(user);
  const claims = jwt.verify(access_token, gateway.current.deps.secrets.jwtKey, { complete: true });
  expect(claims.header.alg).toBe('HS256');
  expect(claims.payload).toMatchObject({ sub: user_id, user_id, email, role: 'admin', jti: expect.any(String) });
  const { iat, exp } = claims.payload as { iat: number; exp: number };
  expect(exp - iat).toBe(86_400);
  const sessions = await sql('select * from admin_sessions where user_id = $1', [user_id]);
  expect(sessions.rows).toHaveLength(1);
  expect(sessions.rows[0]).toMatchObject({ is_revoked: false, ip_address: expect.stringMatching(/^10\./) });
  expect(sessions.rows[0].expires_at - sessions.rows[0].created_at).toBe(86_400_000);
  expect(JSON.stringify(sessions.rows)).not.toContain(access_token.split('.')[2]);
});

test('a login with a wrong password and one with an unknown e-mail have the same answer (spec 12.2)', async () => {
  const { email } = await admins.created();

  const answers = [
    await admins.login(email, 'wrong password'),
    await admins.login(`x${email}`),
    await admins.login(email.toUpperCase()),
    await admins.login(email, ''),
  ];

  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
});

test('a login with an unknown e-mail takes as long as one with a wrong password (spec 12.2)', async () => {
  const { email } = await admins.created();
  const timeOf = async (who: string) => {
    const begin = performance.now();
    await admins.login(who, 'wrong password');
    return performance.now() - begin;
  };
  const known: number[] = [];
  const unknown: number[] = [];

  for (let time = 0; time < 9; time += 1) {
    known.push(await timeOf(email));
    unknown.push(await timeOf(`x${email}`));
  }

  // Without a comparison it would be a twentieth.
  const median = (times: number[]) => times.sort((a, b) => a - b)[4]!;
  expect(median(unknown) / median(known)).toBeGreaterThan(0.5);
  expect(median(unknown) / median(known)).toBeLessThan(2);
});

test('a login reports an inactive account only with the right password (spec 12.2)', async () => {
  const { user_id, email } = await admins.created();
  const { token } = await admins.owner();
  await admins.send('put', `/${user_id}`, { token, body: { is_active: false } });

  expect(await admins.login(email)).toMatchObject({ status: 403, body: { detail: 'Account is inactive' } });
  expect((await admins.login(email, 'wrong password')).status).toBe(401);
});

test('the login of an account that is deactivated meanwhile is a 403', async () => {
  const { user_id, email } = await admins.created();
  const deactivation = {
    sql: 'update admin_users set is_active = false where user_id = $1',
    values: [user_id],
    waiting: 1,
  };

  const answer = await besideUncommitted(gateway.current, deactivation, () => admins.login(email));

  expect(answer).toMatchObject({ status: 403, body: { detail: 'Account is inactive' } });
});

test('a login whose password is changed meanwhile is refused', async () => {
  const { user_id, email } = await admins.created();
  const change = {
    sql: `update admin_users set password_hash = 'another' where user_id = $1`,
    values: [user_id],
    waiting: 1,
  };

  const answer = await besideUncommitted(gateway.current, change, () => admins.login(email));

  expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } });
});

test('a logout ends its own session only (spec 2.8, spec 12.3)', async () => {
  const { email, token } = await admins.admin('user');
  const other = await admins.token(email);

  const answer = expectOk(await admins.send('post', '/logout', { token }));

  expect(answer).toEqual({ message: 'Logged out successfully' });
  expect(await me(token)).toMatchObject(invalid);
  expect((await me(other)).status).toBe(200);
});

test.each<[string, (admin: Admin) => Promise<unknown>]>([
  ['has expired', ({ userId }) => sql('update admin_sessions set expires_at = now() where user_id = $1', [userId])],
  ['was revoked', ({ userId }) => sql('update admin_sessions set is_revoked = true where user_id = $1', [userId])],
  ['is gone', ({ userId }) => sql('delete from admin_sessions where user_id = $1', [userId])],
  ['is of a deactivated user', async ({ userId }) => change(userId, { is_active: false })],
  [
    'is of a user deactivated otherwise',
    ({ userId }) => sql('update admin_users set is_active = false where user_id = $1', [userId]),
  ],
  [
    'was of a user activated again',
    async ({ userId }) => {
      await change(userId, { is_active: false });
      await change(userId, { is_active: true });
    },
  ],
  [
    'is of a deleted user',
    async ({ userId }) => {
      const { token } = await admins.owner();
      expectOk(await admins.send('delete', `/${userId}`, { token }));
    },
  ],
])('a session that %s is refused', async (_what, happens) => {
  const admin = await admins.admin('admin');
  expect((await me(admin.token)).status).toBe(200);

  await happens(admin);

  expect(await me(admin.token)).toMatchObject(invalid);
  expect((await admins.send('get', '', { token: admin.token })).status).toBe(401);
});

async function change(userId: string, body: object): Promise<void> {
  const { token } = await admins.owner();
  expectOk(await admins.send('put', `/${userId}`, { token, body }));
}

test('the role of a session is that of the database, not of its token (spec 2.8)', async () => {
  const { userId, token } = await admins.admin('admin');
  const list = () => admins.send('get', '', { token });
  expect((await list()).status).toBe(200);

  await change(userId, { role: 'user' });

  expect(await list()).toMatchObject({ status: 403, body: { detail: 'Insufficient permissions' } });
  expect(expectOk(await me(token)).role).toBe('user');
});

test('a token that this installation has not signed is refused, whatever its claims (spec 2.8)', async () => {
  const { userId, token } = await admins.owner();
  const { jwtKey } = gateway.current.deps.secrets;
  const { payload } = jwt.verify(token, jwtKey, { complete: true });
  const claims = payload as Record<string, unknown>;
  const [header, body, signature] = token.split('.') as [string, string, string];
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = {
    'another key': jwt.sign(claims, 'x'.repeat(32)),
    'the master key itself': jwt.sign(claims, gateway.current.masterKey),
    'another algorithm': jwt.sign(claims, jwtKey, { algorithm: 'HS512' }),
    'no algorithm': `${base64({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'no signature': `${header}.${body}.`,
    'other claims': `${header}.${base64({ ...claims, role: 'owner', exp: 9_999_999_999 })}.${signature}`,
    expired: jwt.sign({ ...claims, exp: 1_700_000_000 }, jwtKey),
    'our key, but no session': jwt.sign({ ...claims, jti: userId }, jwtKey),
    'cut off': token.slice(0, -1),
    'no token': 'a.b.c',
  };

  const statuses = await Promise.all(
    Object.entries(forged).map(async ([name, one]) => [name, (await me(one)).status] as const),
  );

  expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(Object.keys(forged).map((name) => [name, 401])));
  expect((await me(token)).status).toBe(200);
});

test('twenty simultaneous logins open twenty sessions', async () => {
  const { email, user_id } = await admins.created();

  const answers = await Promise.all(Array.from({ length: 20 }, () => admins.login(email)));

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(20);
  expect((await sql('select from admin_sessions where user_id = $1', [user_id])).rowCount).toBe(20);
});
