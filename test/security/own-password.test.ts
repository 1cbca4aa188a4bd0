import { expectOk } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { type Admin, givenAdmin, givenOwner, logIn, newPassword } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false, settings: { TRUST_PROXY: '1' } });
let owner: Admin;

beforeAll(async () => {
  owner = await givenOwner(installation.current.url, installation.current.masterKey);
});

const guess = (admin: Admin, path = 'me') =>
  sendRequest(installation.current.url, 'post', `/api/admin-users/${path}/change-password`, {
    key: admin.token,
    body: { current_password: 'a guess', new_password: newPassword() },
  }).then(({ status }) => status);

const isLoggedIn = async ({ token }: Admin) =>
  (await sendRequest(installation.current.url, 'get', '/api/admin-users/me', { key: token })).status === 200;

test.each(['me', 'the own id'])(
  'the 11th wrong current password in a row is answered 429 and ends the session, by %s (spec 9.7)',
  async (path) => {
    const { url } = installation.current;
    const admin = await givenAdmin(url, owner, 'user');

    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push(await guess(admin, path === 'me' ? 'me' : admin.userId));

    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    expect(await isLoggedIn(admin)).toBe(false);
    expectOk(await logIn(url, { ...admin, from: '198.51.100.30' }));
  },
);

test('of thirty wrong current passwords at once at most ten are checked', async () => {
  const admin = await givenAdmin(installation.current.url, owner, 'user');

  const statuses = await Promise.all(Array.from({ length: 30 }, () => guess(admin)));

  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
  expect(statuses.filter((status) => ![400, 401, 429].includes(status))).toEqual([]);
  expect(await isLoggedIn(admin)).toBe(false);
});

test('a right current password after nine wrong ones changes the password, and the session continues', async () => {
  const admin = await givenAdmin(installation.current.url, owner, 'user');
  for (let n = 0; n < 9; n += 1) expect(await guess(admin)).toBe(400);

  const body = { current_password: admin.password, new_password: newPassword() };
  expectOk(
    await sendRequest(installation.current.url, 'post', '/api/admin-users/me/change-password', {
      key: admin.token,
      body,
    }),
  );

  expect(await isLoggedIn(admin)).toBe(true);
});
