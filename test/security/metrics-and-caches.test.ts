import { givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { givenOwner, setUp } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false, settings: { COMMON_PASSWORDS: 'refused' } });
const given = givenIn(installation);

const get = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(installation.current.url, 'get', path, { headers });

test('/metrics is answered 200 for the platform key and 401 otherwise (spec 14.4)', async () => {
  const { masterKey } = installation.current;
  const team = await given.team();

  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', { authorization: `Bearer ${team.key}` })).status).toBe(401);
  for (const [name, value] of [
    ['x-admin-key', masterKey],
    ['authorization', `Bearer ${masterKey}`],
  ] as const) {
    const shown = await get('/metrics', { [name]: value });
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('gateway_requests_total');
  }
});

test('answers to the platform key have headers that forbid storage in shared caches (spec 1.14)', async () => {
  const team = await given.team();
  const paths = [
    'organizations',
    'teams',
    `teams/${team.teamId}`,
    `teams/${team.teamId}/credits`,
    'jobs',
    'model-groups',
    'model-aliases',
    'model-access-groups',
    `credits/balance?team_id=${team.teamId}`,
    `webhooks?team_id=${team.teamId}`,
  ];

  for (const path of paths) {
    const { status, headers } = await get(`/api/${path}`, { 'x-admin-key': installation.current.masterKey });
    expect([path, status]).toEqual([path, 200]);
    expect([path, headers.get('cache-control')]).toEqual([path, expect.stringMatching(/private|no-store/)]);
    expect([path, headers.get('vary')?.toLowerCase()]).toEqual([path, expect.stringContaining('x-admin-key')]);
  }
});

const common = ['password', '12345678', 'qwertyuiop', 'iloveyou', 'sunshine', 'baseball', 'trustno1', 'Password1'];

test('a common password is answered 422 in setup, user creation and password change (spec 12.8)', async () => {
  const { url, masterKey } = installation.current;
  for (const password of common) expect([password, (await setUp(url, { password })).status]).toEqual([password, 422]);

  const owner = await givenOwner(url, masterKey);
  const user = { email: 'user@example.com', display_name: 'A user', role: 'user', password: common[0] };
  const created = await sendRequest(url, 'post', '/api/admin-users', { key: owner.token, body: user });
  const change = { current_password: owner.password, new_password: common[0] };
  const changed = await sendRequest(url, 'post', '/api/admin-users/me/change-password', {
    key: owner.token,
    body: change,
  });

  expect([created.status, changed.status]).toEqual([422, 422]);
});
