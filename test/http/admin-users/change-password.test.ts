import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, goodPassword } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

const newPassword = 'another good password';
const change = (who: string, token: string, body: unknown) =>
  admins.send('post', `/${who}/change-password`, { token, body });
const own = { current_password: goodPassword, new_password: newPassword };

test.each(['me', 'the own id'])(
  'a user changes the own password by %s, and the other sessions end (spec 12.9)',
  async (name) => {
    const { userId, email, token } = await admins.admin('user');
    const other = await admins.token(email);

    const answer = expectOk(await change(name === 'me' ? 'me' : userId, token, own));

    expect(answer).toEqual({ message: 'Password changed successfully' });
    expect((await admins.login(email)).status).toBe(401);
    expect((await admins.login(email, newPassword)).status).toBe(200);
    expect((await admins.send('get', '/me', { token })).status).toBe(200);
    expect((await admins.send('get', '/me', { token: other })).status).toBe(401);
  },
);

test('a change of the own password requires the current password (spec 12.9)', async () => {
  const { userId, email, token } = await admins.admin('owner');

  const without = await change(userId, token, { new_password: newPassword });
  const empty = await change('me', token, { new_password: newPassword, current_password: null });
  const wrong = await change('me', token, { ...own, current_password: 'not this one' });

  for (const answer of [without, empty]) {
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'current_password'], type: 'missing' }] },
    });
  }
  expect(wrong).toMatchObject({ status: 400, body: { detail: 'Invalid current password' } });
  expect((await admins.login(email)).status).toBe(200);
});

test("an owner changes any user's password, and the sessions of that user end (spec 12.9)", async () => {
  const owner = await admins.owner();
  const user = await admins.admin('admin');

  expectOk(await change(user.userId, owner.token, { new_password: newPassword }));

  expect((await admins.send('get', '/me', { token: user.token })).status).toBe(401);
  expect((await admins.login(user.email, newPassword)).status).toBe(200);
});

test("a caller who is not an owner cannot change another user's password, nor find out whether the user exists", async () => {
  const admin = await admins.admin('admin');
  const user = await admins.admin('user');
  const nobody = '00000000-0000-4000-8000-000000000000';
  const owner = await admins.owner();

  for (const [who, token] of [
    [user.userId, admin.token],
    [admin.userId, user.token],
    [owner.userId, admin.token],
    [nobody, user.token],
  ] as const) {
    expect(await change(who, token, own)).toMatchObject({ status: 403, body: { detail: 'Insufficient permissions' } });
  }
  // Before anything is looked at that could be wrong with it.
  expect((await change('not-a-uuid', user.token, {})).status).toBe(403);
  expect((await change(nobody, owner.token, own)).status).toBe(404);
});

test.each([
  ['short', 'string_too_short'],
  ['x'.repeat(1_025), 'string_too_long'],
  ['nul\u0000nul\u0000nul', 'value_error'],
  [12345678, 'string_type'],
  [undefined, 'missing'],
])('the new password %j is refused (spec 12.8)', async (password, type) => {
  const { token } = await admins.owner();

  const answer = await change('me', token, { ...own, new_password: password });

  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'new_password'], type }] } });
});

test('a long password is compared up to its last byte', async () => {
  const { email, token } = await admins.admin('user');
  const long = `${'ü'.repeat(511)}ab`;

  expectOk(await change('me', token, { ...own, new_password: long }));

  expect((await admins.login(email, long)).status).toBe(200);
  expect((await admins.login(email, `${'ü'.repeat(511)}ac`)).status).toBe(401);
  expect((await admins.login(email, long.slice(0, 72))).status).toBe(401);
});

test('of two simultaneous changes of a password one succeeds', async () => {
  const { email, token } = await admins.admin('user');
  const passwords = ['the first of them', 'the second of them'];

  const answers = await Promise.all(
    passwords.map((password) => change('me', token, { ...own, new_password: password })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = passwords[answers.findIndex(({ status }) => status === 200)]!;
  expect((await admins.login(email, winner)).status).toBe(200);
});
