import { setTimeout as pause } from 'node:timers/promises';
import { expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { type Admin, givenAdmin, givenOwner } from './support/admins.ts';
import { adminRequests, hook, type Sent, teamRequests } from './support/changing-requests.ts';
import { type HeldRequest, holdRequest } from './support/held-requests.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(installation);
let owner: Admin;

/** Longer than a body may take without a second check of the sender's rights. */
const slowBodyMs = 1_300;

const hold = (token: string, requests: Sent[]): Promise<HeldRequest[]> => {
  const headers = { Authorization: `Bearer ${token}` };
  return Promise.all(requests.map(([line, body]) => holdRequest(installation.current.url, { line, body, headers })));
};

const finish = async (held: HeldRequest[]) =>
  Object.fromEntries(await Promise.all(held.map(async ({ line, finish }) => [line, await finish()] as const)));

const each = (requests: Sent[], status: number) => Object.fromEntries(requests.map(([line]) => [line, status]));

const countsOf = async (team: GivenTeam) => {
  const { pool } = installation.current;
  const sql = `select (select count(*) from jobs where team_id = $1)::int as jobs,
    (select count(*) from webhooks where team_id = $1)::int as webhooks,
    (select count(*) from credit_transactions where team_id = $1)::int as transactions`;
  return (await pool.query(sql, [team.teamId])).rows[0];
};

beforeAll(async () => {
  owner = await givenOwner(installation.current.url, installation.current.masterKey);
});

test('requests of every route with a key that is rotated while their bodies arrive are answered 401 and change nothing (spec 2.11)', async () => {
  const team = await given.team();
  const requests = await teamRequests(installation, team);
  const before = await countsOf(team);
  const held = await hold(team.key, requests);
  await pause(slowBodyMs);

  await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 0 });

  expect(await finish(held)).toEqual(each(requests, 401));
  expect(await countsOf(team)).toEqual(before);
});

test('requests of every route of a team that is suspended while their bodies arrive are answered 403 (spec 2.11)', async () => {
  const team = await given.team();
  const requests = await teamRequests(installation, team);
  const held = await hold(team.key, requests);
  await pause(slowBodyMs);

  await given.admin('post', `/api/teams/${team.teamId}/suspend`, {});

  expect(await finish(held)).toEqual(each(requests, 403));
});

const endings: [name: string, status: number, end: (admin: Admin) => Promise<unknown>][] = [
  ['deactivated', 401, ({ userId }) => asOwner('put', `/${userId}`, { is_active: false })],
  ['deleted', 401, ({ userId }) => asOwner('delete', `/${userId}`)],
  [
    'logged out',
    401,
    ({ token }) => sendRequest(installation.current.url, 'post', '/api/admin-users/logout', { key: token }),
  ],
  [
    'given a new password',
    401,
    ({ userId }) => asOwner('post', `/${userId}/change-password`, { new_password: unique('violet-Harbour') }),
  ],
];

const asOwner = async (method: string, path: string, body?: unknown) =>
  expectOk(await sendRequest(installation.current.url, method, `/api/admin-users${path}`, { key: owner.token, body }));

test.each(endings)(
  'requests of every route of an admin who is %s while their bodies arrive are answered %i and change nothing',
  async (_name, status, end) => {
    const admin = await givenAdmin(installation.current.url, owner);
    const team = await given.team();
    const requests = adminRequests(team);
    const before = await countsOf(team);
    const held = await hold(admin.token, requests);
    await pause(slowBodyMs);

    await end(admin);
    await pause(250);

    expect(await finish(held)).toEqual(each(requests, status));
    expect(await countsOf(team)).toEqual(before);
  },
);

test('requests of management routes of an admin whose role becomes user while their bodies arrive are answered 403', async () => {
  const admin = await givenAdmin(installation.current.url, owner);
  const requests = adminRequests(await given.team()).filter(([line]) => !line.includes('/me/'));
  const held = await hold(admin.token, requests);
  await pause(slowBodyMs);

  await asOwner('put', `/${admin.userId}`, { role: 'user' });

  expect(await finish(held)).toEqual(each(requests, 403));
});

test('changes of credits and webhooks with short bodies are refused by their own transaction when the right has just ended', async () => {
  const [admin, team] = [await givenAdmin(installation.current.url, owner), await given.team()];
  const [money, hooks] = [adminRequests(team).slice(0, 4), [['POST /api/webhooks/register', hook(team)]] as Sent[]];
  const before = await countsOf(team);
  const held = [...(await hold(admin.token, money)), ...(await hold(team.key, hooks))];

  await Promise.all([
    asOwner('put', `/${admin.userId}`, { is_active: false }),
    given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 0 }),
  ]);

  expect(await finish(held)).toEqual(each([...money, ...hooks], 401));
  expect(await countsOf(team)).toEqual(before);
});
