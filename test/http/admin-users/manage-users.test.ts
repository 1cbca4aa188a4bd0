import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins({ BCRYPT_COST: '10' });
const admins = adminsIn(gateway);

const nobody = '00000000-0000-4000-8000-000000000000';
const asOwner = async (method: string, path: string, body?: unknown) =>
  admins.send(method, path, { token: (await admins.owner()).token, body });

test('an admin user is created and listed (spec 12.4, spec 12.5)', async () => {
  const email = uniqueEmail('New.User+1');

  const user = expectOk(await admins.create({ email, role: 'admin', metadata: { team: 'search' } }));

  expect(user).toEqual({
    user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email,
    display_name: 'Somebody',
    role: 'admin',
    is_active: true,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    last_login: null,
    signs_in_by: 'password',
    second_factor: false,
    metadata: { team: 'search' },
  });
  const users = expectOk(await asOwner('get', ''));
  expect(users[0].role).toBe('owner');
  expect(users.at(-1)).toEqual(user);
  const answers = JSON.stringify(users);
  expect(answers).not.toMatch(/password_hash|\$2b\$/);
});

test('a password is stored as a hash', async () => {
  const { user_id } = await admins.created();

  const { rows } = await gateway.current.deps.database.pool.query(
    'select password_hash from admin_users where user_id = $1',
    [user_id],
  );

  expect(rows[0].password_hash).toMatch(/^\$2b\$10\$/);
});

test('simultaneous creations with one e-mail create one user; an e-mail in another case is another user (spec 12.2, spec 12.5)', async () => {
  const email = uniqueEmail();

  const answers = await Promise.all(Array.from({ length: 20 }, () => admins.create({ email })));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
  expect(answers.find(({ status }) => status === 400)?.body).toEqual({
    detail: 'Email already registered',
    code: 'email_registered',
  });
  expect((await admins.create({ email: email.toUpperCase() })).status).toBe(200);
  expect((await admins.login(email)).status).toBe(200);
});

test.each([
  undefined,
  null,
  '',
  'a',
  'a@b',
  '@example.com',
  'a@.com',
  'a b@example.com',
  ' a@example.com',
  'a@example.com ',
  'a@example.com\n',
  'a@b.co\r\nBcc: c@d.co',
  'ü@example.com',
  'a@exämple.com',
  'a@example.com,b@example.com',
  '<a@example.com>',
  'a..b@example.com',
  '.a@example.com',
  'a@-b.com',
  'a@b-.com',
  `a@${'b'.repeat(64)}.com`,
  'a@1.2',
  `${'a'.repeat(250)}@example.com`,
  7,
  ['a@example.com'],
])('an admin user with the e-mail %j is refused', async (email) => {
  const answer = await admins.create({ email });

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([{ loc: ['body', 'email'] }]);
});

test.each([
  [{ role: 'root' }, 'role', 'literal_error'],
  [{ role: 'Owner' }, 'role', 'literal_error'],
  [{ role: null }, 'role', 'literal_error'],
  [{ role: undefined }, 'role', 'missing'],
  [{ password: '1234567' }, 'password', 'string_too_short'],
  [{ display_name: 'x'.repeat(256) }, 'display_name', 'string_too_long'],
  [{ metadata: [] }, 'metadata', 'dict_type'],
])('an admin user with %j is refused', async (fields, name, type) => {
  const answer = await admins.create(fields);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([{ loc: ['body', name], type }]);
});

test('a change of an admin user replaces the named fields only (spec 12.5)', async () => {
  const user = await admins.created({ metadata: { old: { kept: false } } });

  const named = expectOk(await asOwner('put', `/${user.user_id}`, { display_name: 'Other', metadata: { new: true } }));
  const promoted = expectOk(await asOwner('put', `/${user.user_id.toUpperCase()}`, { role: 'admin', is_active: null }));

  expect(named).toEqual({ ...user, display_name: 'Other', metadata: { new: true } });
  expect(promoted).toEqual({ ...named, role: 'admin' });
  expect(expectOk(await asOwner('get', ''))).toContainEqual(promoted);
});

test('a deleted admin user is not listed, and the e-mail can be used again (spec 12.5)', async () => {
  const { user_id, email } = await admins.created();

  const answer = expectOk(await asOwner('delete', `/${user_id}`));

  expect(answer).toEqual({ message: `User ${email} deleted successfully` });
  expect((await admins.login(email)).status).toBe(401);
  expect(expectOk(await asOwner('get', '')).map((user: { user_id: string }) => user.user_id)).not.toContain(user_id);
  expect((await asOwner('delete', `/${user_id}`)).status).toBe(404);
  expect((await admins.create({ email })).status).toBe(200);
});

test('an unknown admin user is a 404, an invalid id a 422', async () => {
  const missing = { status: 404, body: { detail: `User '${nobody}' not found` } };
  const noId = { status: 422, body: { detail: [{ loc: ['path', 'user_id'], type: 'uuid_parsing' }] } };

  expect(await asOwner('put', `/${nobody}`, { display_name: 'x' })).toMatchObject(missing);
  expect(await asOwner('delete', `/${nobody}`)).toMatchObject(missing);
  expect(await asOwner('put', '/no-id', { display_name: 'x' })).toMatchObject(noId);
  expect(await asOwner('delete', '/somebody')).toMatchObject(noId);
  expect((await asOwner('get', `/${nobody}`)).status).toBe(405);
});

test('an admin user cannot delete the own account (spec 12.5)', async () => {
  const owner = await admins.owner();
  const admin = await admins.admin('admin');

  for (const { userId, token } of [owner, admin]) {
    const answer = await admins.send('delete', `/${userId}`, { token });
    expect(answer).toMatchObject({ status: 400, body: { detail: 'Cannot delete yourself' } });
  }
});

test('no answer about admin users contains a password (spec 12.4)', async () => {
  const { user_id } = await admins.created();

  const answer = await asOwner('put', `/${user_id}`, { password: 'another password', display_name: 'x' });

  expect(answer.text).not.toMatch(/another password|password_hash|\$2b\$/);
  expect(answer.text).not.toContain(goodPassword);
});

test.each(['a@b.c', "o'brien+x!y@sub.example.com", 'a%b/c@1-2.example.co'])(
  'an admin user with the e-mail %j is accepted',
  async (email) => {
    expect(expectOk(await admins.create({ email })).email).toBe(email);
  },
);
