import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { type Admin, givenOwner, logIn } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';
import type { LogLine } from './support/program.ts';

const installation = installationForTests({ worker: false, settings: { TRUST_PROXY: '1' } });
const given = givenIn(installation);
let owner: Admin;

beforeAll(async () => {
  owner = await givenOwner(installation.current.url, installation.current.masterKey);
});

/** Sends a request with these headers and returns its log line. */
async function lineOf(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<LogLine> {
  const { url, api } = installation.current;
  const id = crypto.randomUUID();
  await sendRequest(url, method, path, {
    body,
    headers: { ...headers, 'x-request-id': id, 'x-forwarded-for': '203.0.113.5' },
  });
  const found = await until(
    () => api.log().find((line) => line.request_id === id && line.status !== undefined),
    Boolean,
    5_000,
  );
  return found!;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('the log line of a request contains its address and its caller', async () => {
  const team = await given.team();
  const { masterKey } = installation.current;

  const byTeam = await lineOf('get', `/api/teams/${team.teamId}`, bearer(team.key));
  const byUser = await lineOf('get', '/api/admin-users/me', bearer(owner.token));
  const byPlatform = await lineOf('get', '/api/teams', { 'x-admin-key': masterKey });
  const anonymous = await lineOf('get', '/api/admin-users/setup/status', {});

  for (const line of [byTeam, byUser, byPlatform, anonymous])
    expect(line).toMatchObject({ ip: '203.0.113.5', status: 200 });
  expect(byTeam).toMatchObject({ caller: 'team', team_id: team.teamId });
  expect(byUser).toMatchObject({ caller: 'user', user_id: owner.userId });
  expect(byPlatform.caller).toBe('platform');
  expect([byPlatform.user_id, byPlatform.team_id, anonymous.user_id, anonymous.team_id]).toEqual(
    Array(4).fill(undefined),
  );
});

test('the log line of a request with a wrong admin key, a wrong key or an unknown path contains its address', async () => {
  const lines = [
    await lineOf('get', '/api/teams', { 'x-admin-key': 'not-the-platform-key-of-32-letters' }),
    await lineOf('get', '/api/jobs', bearer('sk-nothing')),
    await lineOf('get', '/wp-login.php', {}),
  ];

  for (const line of lines) expect(line.ip).toBe('203.0.113.5');
  expect(lines.map(({ status }) => status)).toEqual([401, 401, 404]);
});

test('a failed login and a login over the limit are logged as warnings, and have audit entries with their address', async () => {
  const wrong = { email: owner.email, password: 'not-that-one' };
  const login = () => lineOf('post', '/api/admin-users/login', {}, wrong);

  const lines: LogLine[] = [];
  for (let n = 0; n < 11; n += 1) lines.push(await login());

  expect(lines.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429]);
  for (const line of lines) expect(line.level).toBeGreaterThanOrEqual(40);
  const entries = await auditEntries('failed_login');
  expect(entries).not.toEqual([]);
  expect(entries[0]).toMatchObject({ ip_address: '203.0.113.5' });
  expect(JSON.stringify(entries)).not.toContain(wrong.password);
});

const auditEntries = async (action: string): Promise<{ resource_id: string; user_id?: string; ip_address: string }[]> =>
  expectOk(
    await sendRequest(installation.current.url, 'get', `/api/admin-users/audit-logs?action=${action}`, {
      key: owner.token,
    }),
  );

test('a read of the virtual key of a team by an admin has an audit entry', async () => {
  const team = await given.team();
  const { url, masterKey } = installation.current;

  for (const key of [masterKey, owner.token])
    expectOk(await sendRequest(url, 'get', `/api/teams/${team.teamId}`, { key }));

  const entries = (await auditEntries('viewed_key')).filter(({ resource_id }) => resource_id === team.teamId);
  expect(entries.map(({ user_id }) => user_id)).toEqual([owner.userId, undefined]);
});

test('changes of a team to its own webhooks have audit entries', async () => {
  const team = await given.team();
  const hook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/a', events: ['job.created'] };
  const { webhook_id } = expectOk(await as(installation, team).post('/api/webhooks/register', hook));
  expectOk(
    await as(installation, team).patch(`/api/webhooks/${webhook_id}`, { webhook_url: 'https://evil.example/a' }),
  );
  expectOk(await as(installation, team).delete(`/api/webhooks/${webhook_id}`));

  const { rows } = await installation.current.pool.query('select action from audit_log where resource_id = $1', [
    webhook_id,
  ]);

  expect(rows.map(({ action }) => action).sort()).toHaveLength(3);
});

test('no log line contains a password, a key or a token', async () => {
  const team = await given.team();
  const { api, url, masterKey } = installation.current;
  await logIn(url, owner);
  await as(installation, team).get(`/api/jobs?user_id=${team.key}`);

  const log = JSON.stringify(api.log());

  expect([owner.password, owner.token, team.key, masterKey].filter((secret) => log.includes(secret))).toEqual([]);
});
