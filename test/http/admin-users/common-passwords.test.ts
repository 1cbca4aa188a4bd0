import { isCommonPassword } from '../../../src/auth/common-passwords.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins({ COMMON_PASSWORDS: 'refused' });
const admins = adminsIn(gateway);

const refusal = (field: string) => ({
  status: 422,
  body: { detail: [{ loc: ['body', field], msg: expect.stringContaining('common'), type: 'value_error' }] },
});

test.each(['password', '12345678', 'Trustno1', 'qwertyuiop', 'SUNSHINE'])('%s is a common password', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test('a common password is refused at every route that sets one, and nothing is changed (spec 12.8)', async () => {
  const common = 'baseball';
  const first = { email: uniqueEmail(), display_name: 'The first owner', password: common };
  expect(await admins.send('post', '/setup', { body: first })).toMatchObject(refusal('password'));

  const owner = await admins.owner();
  expect(await admins.create({ password: common })).toMatchObject(refusal('password'));
  const body = { current_password: goodPassword, new_password: common };
  const changed = await admins.send('post', '/me/change-password', { token: owner.token, body });
  expect(changed).toMatchObject(refusal('new_password'));
  expect((await admins.login(owner.email)).status).toBe(200);
});
