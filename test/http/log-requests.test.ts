import { once } from 'node:events';
import { request } from 'node:http';
import { createApp } from '../../src/http/app.ts';
import { createLog } from '../../src/log.ts';
import { listen } from '../../src/server/listen.ts';
import { givenIn } from '../support/given.ts';
import { type RequestOptions, sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueAddress } from './admin-users/admins.ts';

const gateway = gatewayForAdmins();
const given = givenIn(gateway);
const admins = adminsIn(gateway);

const lines: string[] = [];
let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const log = createLog('info', 'test', { write: (line) => void lines.push(line) });
  const server = await listen(createApp({ ...gateway.current.deps, log }), { host: '127.0.0.1', port: 0 });
  url = server.url;
  close = () => server.drain(() => undefined, { lameDuckMs: 0, drainMs: 5_000 });
});
afterAll(() => close());

/** The line of one request, which comes from an address of its own. */
async function lineOf(method: string, path: string, options: RequestOptions = {}) {
  const ip = uniqueAddress();
  await sendRequest(url, method, path, { ...options, headers: { 'x-forwarded-for': ip, ...options.headers } });
  const find = () => lines.map((line) => JSON.parse(line)).find((line) => line.ip === ip);
  return until(find, (line) => line !== undefined);
}

const info = 30;
const warning = 40;

test("a team's request is logged with the team and the address, without its key, query and body", async () => {
  const team = await given.team();

  const line = await lineOf('get', `/api/teams/${team.teamId}?canary=query`, { key: team.key });

  expect(line).toMatchObject({ level: info, status: 200, path: '/api/teams/:team_id' });
  expect(line).toMatchObject({ caller: 'team', team_id: team.teamId, ip: expect.stringMatching(/^10\./) });
  expect(line).not.toHaveProperty('user_id');
  expect(lines.join()).not.toMatch(new RegExp(`canary|${team.key}`));
});

test('the requests of an admin user and of the platform key are logged with their kind, the user with its id', async () => {
  const { token, userId } = await admins.owner();
  const { masterKey } = gateway.current;

  const byUser = await lineOf('get', '/api/teams', { key: token });
  const byPlatform = [
    await lineOf('get', '/api/teams', { key: masterKey }),
    await lineOf('get', '/api/teams', { headers: { 'x-admin-key': masterKey } }),
  ];

  expect(byUser).toMatchObject({ level: info, status: 200, caller: 'user', user_id: userId });
  for (const line of byPlatform) {
    expect(line).toMatchObject({ level: info, status: 200, caller: 'platform' });
    expect(line).not.toHaveProperty('user_id');
  }
  expect(lines.join()).not.toContain(masterKey);
});

test('a valid credential that is refused is logged with its owner', async () => {
  const [team, suspended] = [await given.team(), await given.team()];
  await given.admin('post', `/api/teams/${suspended.teamId}/suspend`);
  const user = await admins.admin('user');

  const onAdminRoute = await lineOf('get', '/api/teams', { key: team.key });
  const ofSuspended = await lineOf('get', `/api/teams/${suspended.teamId}`, { key: suspended.key });
  const byRole = await lineOf('get', '/api/teams', { key: user.token });

  expect(onAdminRoute).toMatchObject({ status: 401, caller: 'team', team_id: team.teamId });
  expect(ofSuspended).toMatchObject({ status: 403, caller: 'team', team_id: suspended.teamId });
  expect(byRole).toMatchObject({ status: 403, caller: 'user', user_id: user.userId });
});

test.each<[string, string, RequestOptions, number, number]>([
  ['no credential on a team route', '/api/jobs', {}, 401, info],
  ['an unknown key on a team route', '/api/jobs', { key: 'sk-canary' }, 401, info],
  ['an unknown bearer on an admin route', '/api/teams', { key: 'canary' }, 401, warning],
  ['a wrong admin key on an admin route', '/api/teams', { headers: { 'x-admin-key': 'canary' } }, 401, warning],
  ['a wrong admin key on a team route', '/api/jobs', { headers: { 'x-admin-key': 'canary' } }, 401, warning],
  ['an unknown path', '/canary', { headers: { 'x-admin-key': 'canary' } }, 404, info],
])('%s is logged as anonymous, with its status', async (_, path, options, status, level) => {
  const line = await lineOf('get', path, options);

  expect(line).toMatchObject({ caller: 'anonymous', status, level });
  expect(lines.join()).not.toContain('canary');
});

test('a refused password, an exceeded limit of logins and a late set-up are logged as warnings, a login is not', async () => {
  const { email, token } = await admins.owner();
  const logIn = (password: string) => lineOf('post', '/api/admin-users/login', { body: { email, password } });
  const setUp = { email, display_name: 'Somebody', password: goodPassword };
  const change = { current_password: 'wrong canary', new_password: goodPassword };
  const limited = uniqueAddress();
  await Promise.all(Array.from({ length: 10 }, () => admins.login(email, 'wrong canary', limited)));

  const good = await logIn(goodPassword);
  const wrong = await logIn('wrong canary');
  const late = await lineOf('post', '/api/admin-users/setup', { body: setUp });
  const changed = await lineOf('post', '/api/admin-users/me/change-password', { key: token, body: change });
  await sendRequest(url, 'post', '/api/admin-users/login', {
    body: { email, password: goodPassword },
    headers: { 'x-forwarded-for': limited },
  });
  const overLimit = await until(
    () => lines.map((line) => JSON.parse(line)).find(({ ip }) => ip === limited),
    (line) => line !== undefined,
  );

  const told = [good, wrong, late, changed, overLimit].map(({ status, level }) => [status, level]);
  expect(told).toEqual([
    [200, info],
    [401, warning],
    [400, warning],
    [400, warning],
    [429, warning],
  ]);
  expect(changed).toMatchObject({ caller: 'user' });
  expect(lines.join()).not.toMatch(new RegExp(`canary|${goodPassword}|${email}`));
});

test('a request whose client leaves before its answer is logged with its address', async () => {
  const team = await given.team();
  const ip = uniqueAddress();
  const asking = request(`${url}/api/jobs/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${team.key}`,
      'x-forwarded-for': ip,
      expect: '100-continue',
      'content-length': '9',
    },
  });
  asking.on('error', () => undefined).flushHeaders();

  await once(asking, 'continue');
  asking.destroy();

  const find = () => lines.map((line) => JSON.parse(line)).find((line) => line.ip === ip);
  const line = await until(find, (found) => found !== undefined);
  expect(line).toMatchObject({ status: 499, caller: 'team', team_id: team.teamId });
});
