import jwt from 'jsonwebtoken';
import { execute } from '../../support/database.ts';
import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

test('fifty set-ups at once make one owner', async () => {
  const before = expectOk(await admins.send('get', '/setup/status'));
  const body = () => ({ email: uniqueEmail(), display_name: 'Me', password: goodPassword });

  const answers = await Promise.all(Array.from({ length: 50 }, () => admins.send('post', '/setup', { body: body() })));

  expect(before).toEqual({ needs_setup: true, has_users: false });
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused).toHaveLength(49);
  expect(refused[0]!.body).toEqual({ detail: 'Setup already completed' });
  expect(expectOk(await admins.send('get', '/setup/status'))).toEqual({ needs_setup: false, has_users: true });
  const token = answers.find(({ status }) => status === 200)!.body.access_token;
  expect(expectOk(await admins.send('get', '', { token }))).toHaveLength(1);
});
