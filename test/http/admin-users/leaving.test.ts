import { startGateway } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { browserIn } from '../sessions/browser.ts';
import { adminsIn, forAdmins, gatewayForAdmins, goodPassword } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const leave = (token: string) => admins.send('delete', '/me', { token });
const entriesOf = async (userId: string): Promise<Json[]> =>
  expectOk(await admins.send('get', `/audit-logs?user_id=${userId}`, { token: (await admins.owner()).token }));

test.each(['owner', 'admin', 'user'])(
  'somebody of role %s leaves: sessions end, the e-mail is free, and the name stays with what they did (spec 12.5, spec 12.23)',
  async (role) => {
    const { userId, email, token } = await admins.admin(role);
    const other = await admins.token(email);

    expectOk(await leave(token));

    expect((await admins.send('get', '/me', { token })).status).toBe(401);
    expect((await admins.send('get', '/me', { token: other })).status).toBe(401);
    expect((await admins.login(email)).status).toBe(401);
    const entries = await entriesOf(userId);
    expect(entries[0]).toMatchObject({ action: 'deleted_own_account', resource_id: userId, details: { email, role } });
    for (const entry of entries) expect(entry.user_name).toBe('Somebody');
    expectOk(await admins.create({ email }));
  },
);

test('a deleted user keeps the name in the audit log and in the timeline, and a changed one has the new name (spec 12.23)', async () => {
  const { userId, token } = await admins.admin('admin');
  const owner = await admins.owner();
  await admins.created({});
  expectOk(await admins.send('put', `/${userId}`, { token: owner.token, body: { display_name: 'Renamed' } }));
  expect((await entriesOf(userId))[0].user_name).toBe('Renamed');

  expectOk(await admins.send('delete', `/${userId}`, { token: owner.token }));

  expect((await admins.send('get', '/me', { token })).status).toBe(401);
  for (const entry of await entriesOf(userId)) expect(entry.user_name).toBe('Renamed');
});

test('who leaves in the console loses the cookie (spec 12.23)', async () => {
  const { email } = await admins.created({ role: 'admin' });
  const { send, get } = await browser.signedIn({ email, password: goodPassword });

  const answer = await send('delete', '/api/admin-users/me');

  expectOk(answer);
  expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await get('/api/session')).status).toBe(401);
});

test('neither a key nor the platform key can leave', async () => {
  const { masterKey, url } = gateway.current;

  expect((await sendRequest(url, 'delete', '/api/admin-users/me', { key: masterKey })).status).toBe(401);
});

test('the last active owner cannot leave; of two owners who leave at once one remains (spec 12.7)', async () => {
  const own = await startGateway(forAdmins);
  try {
    const there = adminsIn({ current: own });
    const [first, second] = [await there.owner(), await there.admin('owner')];
    const inactive = await there.created({ role: 'owner' });
    expectOk(await there.send('put', `/${inactive.user_id}`, { token: first.token, body: { is_active: false } }));

    const answers = await Promise.all([first, second].map(({ token }) => there.send('delete', '/me', { token })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject({ body: { code: 'last_owner' } });
    const last = answers[0]!.status === 400 ? first : second;
    expect(await there.send('delete', '/me', { token: last.token })).toMatchObject({
      status: 400,
      body: { code: 'last_owner' },
    });
  } finally {
    await own.close();
  }
});
