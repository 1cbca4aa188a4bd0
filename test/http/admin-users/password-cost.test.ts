import { createPasswords } from '../../../src/auth/passwords.ts';
import { findLogin } from '../../../src/db/admin-users/find-login.ts';
import { adminsIn, gatewayForAdmins, goodPassword } from './admins.ts';

const gateway = gatewayForAdmins({ BCRYPT_COST: '10' });
const { admin, login } = adminsIn(gateway);

const setHash = (userId: string, hash: string) =>
  gateway.current.deps.database.pool.query('update admin_users set password_hash = $2 where user_id = $1', [
    userId,
    hash,
  ]);

const hashOf = async (userId: string): Promise<string> => {
  const found = await gateway.current.deps.database.pool.query(
    'select password_hash from admin_users where user_id = $1',
    [userId],
  );
  return found.rows[0].password_hash;
};

test('a login replaces the hash of a password that was hashed with another cost', async () => {
  const { userId, email } = await admin('user');
  await setHash(userId, await createPasswords(4).hash(goodPassword));

  expect((await login(email, 'not the password')).status).toBe(401);
  expect(await hashOf(userId)).toMatch(/^\$2b\$04\$/);
  expect((await login(email)).status).toBe(200);

  expect(await hashOf(userId)).toMatch(/^\$2b\$10\$/);
  expect((await login(email)).status).toBe(200);
});

test('a login with an unknown e-mail compares at the cost that most accounts have', async () => {
  const users = await Promise.all([admin('user'), admin('user'), admin('user'), admin('user')]);
  const { database } = gateway.current.deps;
  await database.pool.query("update admin_users set password_hash = '$2b$11$' || substr(password_hash, 8)");

  expect(await findLogin(database, 'nobody@example.com')).toEqual({ known: undefined, usualCost: 11 });
  expect(await findLogin(database, users[0]!.email)).toMatchObject({ usualCost: 11 });
});
