import { besideUncommitted, waitingForLocks } from '../../support/locks.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

/** What comes of a request of an owner that waits behind their own demotion, or deactivation. */
async function whileChanged(change: object, request: (token: string) => ReturnType<typeof admins.send>) {
  const [first, second] = [await admins.owner(), await admins.admin('owner')];
  const lock = { sql: `select pg_advisory_xact_lock(hashtext('job-gateway admin users'))`, values: [], waiting: 2 };
  return besideUncommitted(gateway.current, lock, async () => {
    const changing = admins.send('put', `/${second.userId}`, { token: first.token, body: change });
    await waitingForLocks(gateway.current, 1);
    const [answer] = await Promise.all([request(second.token), changing]);
    return answer;
  });
}

const createOwner = (token: string) => {
  const body = { email: uniqueEmail(), display_name: 'New', password: goodPassword, role: 'owner' };
  return admins.send('post', '', { token, body });
};

test('an admin user who is demoted while waiting for the lock creates no owner', async () => {
  expect(await whileChanged({ role: 'admin' }, createOwner)).toMatchObject({ status: 403 });
});

test('an admin user who is demoted while waiting for the lock promotes nobody to owner', async () => {
  const { user_id } = await admins.created();
  const promote = (token: string) => admins.send('put', `/${user_id}`, { token, body: { role: 'owner' } });

  expect(await whileChanged({ role: 'admin' }, promote)).toMatchObject({ status: 403 });
});

test('an admin user who is deactivated while waiting for the lock creates no user', async () => {
  expect(await whileChanged({ is_active: false }, createOwner)).toMatchObject({ status: 401 });
});
