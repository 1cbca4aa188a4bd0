import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

const owner = (fields: Record<string, unknown> = {}) => ({
  email: uniqueEmail(),
  display_name: 'Me',
  password: goodPassword,
  ...fields,
});
const setUp = (body: unknown) => admins.send('post', '/setup', { body });

test.each([
  ['no e-mail', owner({ email: undefined }), ['body', 'email'], 'missing'],
  [
    'an e-mail of more than 300 characters',
    owner({ email: `${'a'.repeat(300)}@example.com` }),
    ['body', 'email'],
    'value_error',
  ],
  ['an e-mail of 800,000 characters', owner({ email: `a@${'a.'.repeat(400_000)}` }), ['body', 'email'], 'value_error'],
  ['an empty name', owner({ display_name: '' }), ['body', 'display_name'], 'string_too_short'],
  ['a password of seven letters', owner({ password: 'seven77' }), ['body', 'password'], 'string_too_short'],
  ['a password of seven emoji', owner({ password: '🔑🔑🔑🔑🔑🔑🔑' }), ['body', 'password'], 'string_too_short'],
  [
    'a password of more than 1,024 bytes',
    owner({ password: 'ü'.repeat(513) }),
    ['body', 'password'],
    'string_too_long',
  ],
  ['a password that is null', owner({ password: null }), ['body', 'password'], 'string_type'],
])('a set-up with %s is refused, and no owner is created (spec 12.1)', async (_, body, loc, type) => {
  const answer = await setUp(body);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc, type, msg: expect.any(String) }]);
  expect(expectOk(await admins.send('get', '/setup/status'))).toEqual({ needs_setup: true, has_users: false });
});

test('fifty simultaneous set-ups create one owner, who is logged in (spec 12.1)', async () => {
  const bodies = Array.from({ length: 50 }, () => owner());

  const answers = await Promise.all(bodies.map(setUp));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 400)]);
  expect(answers.find(({ status }) => status === 400)?.body).toEqual({
    detail: 'Setup already completed',
    code: 'setup_completed',
  });
  expect(expectOk(await admins.send('get', '/setup/status'))).toEqual({ needs_setup: false, has_users: true });
  const made = answers.find(({ status }) => status === 200)!;
  expect(made.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'bearer',
    user: {
      user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: bodies[answers.indexOf(made)]!.email,
      display_name: 'Me',
      role: 'owner',
      second_factor: false,
      signs_in_by: 'password',
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_login: null,
      metadata: {},
    },
  });
  expect(made.headers.get('cache-control')).toBe('no-store');
  const token = made.body.access_token;
  expect(expectOk(await admins.send('get', '', { token }))).toEqual([made.body.user]);
  expect(expectOk(await admins.send('get', '/audit-logs', { token }))).toMatchObject([
    { action: 'setup_owner', user_id: made.body.user.user_id, resource_id: made.body.user.user_id },
  ]);
  expect(await setUp(owner())).toMatchObject({ status: 400, body: { detail: 'Setup already completed' } });
});
