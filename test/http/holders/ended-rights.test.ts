import { once } from 'node:events';
import { connect } from 'node:net';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { rawRequest } from '../../support/raw.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { adminsIn, forAdmins } from '../admin-users/admins.ts';

const gateway = gatewayForTests(forAdmins);
const given = givenIn(gateway);
const admins = adminsIn(gateway);

/** Sends all but the last byte, waits until the request is being handled, does `between`, and sends the rest. */
async function sendInTwo(path: string, token: string, body: unknown, between: () => Promise<unknown>): Promise<number> {
  const { hostname, port } = new URL(gateway.current.url);
  const text = JSON.stringify(body);
  const headers = {
    Host: 'localhost',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
    Connection: 'close',
  };
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.write(rawRequest(`POST ${path}`, headers, text.slice(0, -1)));
  // Its rights were checked by then: a request of another connection takes longer than that.
  await sendRequest(gateway.current.url, 'get', '/health');
  await between();
  socket.write(text.slice(-1));
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
}

const rotate = (teamId: string) => given.admin('post', `/api/teams/${teamId}/rotate-key`, {});

test.each([
  ['creates a job', '/api/jobs/create', (team_id: string) => ({ team_id, job_type: 'report' })],
  [
    'registers a webhook',
    '/api/webhooks/register',
    (team_id: string) => ({ team_id, webhook_url: 'https://example.com/hook', events: ['job.completed'] }),
  ],
])('a key that ended while its body was arriving no longer %s (spec 2.11)', async (_what, path, bodyOf) => {
  const team = await given.team();

  const status = await sendInTwo(path, team.key, bodyOf(team.teamId), () => rotate(team.teamId));

  expect(status).toBe(401);
});

test('a key that is still valid when its body has arrived is served', async () => {
  const team = await given.team();

  const body = { team_id: team.teamId, webhook_url: 'https://example.com/hook', events: ['job.completed'] };
  expect(await sendInTwo('/api/webhooks/register', team.key, body, async () => undefined)).toBe(200);
});

test('an admin who was deactivated while a body was arriving gives no credits (spec 2.11)', async () => {
  const team = await given.team({ credits: 5 });
  const admin = await admins.admin('admin');
  const owner = await admins.owner();
  const deactivate = async () =>
    expectOk(await admins.send('put', `/${admin.userId}`, { token: owner.token, body: { is_active: false } }));

  const body = { team_id: team.teamId, amount: 3 };
  expect(await sendInTwo('/api/credits/add', admin.token, body, deactivate)).toBe(401);

  const credits = expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/credits`));
  expect(credits.credits_remaining).toBe(5);
});

test('a session that is logged out while it creates an account creates no account', async () => {
  const owner = await admins.owner();
  const { access_token } = expectOk(await admins.login(owner.email));
  const email = `${unique('user')}@example.com`;
  const body = { email, display_name: 'Somebody', password: 'correct horse battery', role: 'user' };

  const logOut = async () => expectOk(await admins.send('post', '/logout', { token: access_token }));
  expect(await sendInTwo('/api/admin-users', access_token, body, logOut)).toBe(401);

  await until(async () => (await admins.send('get', '', { token: owner.token })).status === 200);
  const users = expectOk(await admins.send('get', '', { token: owner.token }));
  expect(users.map((user: { email: string }) => user.email)).not.toContain(email);
});
