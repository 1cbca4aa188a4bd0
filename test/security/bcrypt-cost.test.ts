import { expectOk } from '../support/given.ts';
import { until } from '../support/until.ts';
import { givenOwner, logIn } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false, settings: { BCRYPT_COST: '10' } });

test('a login after a change of BCRYPT_COST stores the password hash with the new cost, and a failed login does not', async () => {
  const { url, masterKey, pool, startApi } = installation.current;
  const owner = await givenOwner(url, masterKey);
  const costs = async () =>
    (await pool.query('select password_hash from admin_users')).rows.map(
      ({ password_hash }) => password_hash.split('$')[2],
    );
  const api = await startApi({ BCRYPT_COST: '11' });

  expect((await logIn(api.url, { ...owner, password: 'not-that-one' })).status).toBe(401);
  expect(await costs()).toEqual(['10']);
  expectOk(await logIn(api.url, owner));

  await until(costs, ([cost]) => cost === '11', 5_000);
  expectOk(await logIn(api.url, owner));
  expectOk(await logIn(url, owner));
});
