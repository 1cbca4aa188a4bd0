import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';
import { readAudit } from '../../support/read-audit.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { readEvents } from '../changes/event-reader.ts';
import { type Browser, browserIn } from './browser.ts';

const gateway = gatewayForTests({ settings: { CONSOLE_IDLE_TIMEOUT: '30m' } });
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const read = ({ get }: Browser) => get('/api/session');
const ended = { status: 401, body: { detail: 'The session has ended: sign in again' } };

async function teamWithSession(): Promise<{ team: GivenTeam; session: Browser }> {
  const team = await given.team();
  return { team, session: await browser.signedIn({ virtual_key: team.key }) };
}

const rotate = (team: GivenTeam, grace_seconds: number) =>
  given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds });
const ofTeam = `key_hash in (select key_hash from virtual_keys where team_id = $1)`;

test.each<[string, (team: GivenTeam) => Promise<unknown>]>([
  ['has expired', ({ teamId }) => sql(`update team_sessions set expires_at = now() where ${ofTeam}`, [teamId])],
  [
    'was not used for the idle timeout',
    ({ teamId }) => sql(`update team_sessions set seen_at = now() - interval '31 minutes' where ${ofTeam}`, [teamId]),
  ],
  ['belongs to a key that was rotated', (team) => rotate(team, 0)],
  [
    'belongs to a key whose grace is over',
    async (team) => {
      await rotate(team, 3_600);
      await sql('update virtual_keys set expires_at = now() where team_id = $1 and expires_at is not null', [
        team.teamId,
      ]);
    },
  ],
  ['is of a suspended team', ({ teamId }) => given.admin('post', `/api/teams/${teamId}/suspend`)],
  [
    'is of a team that was suspended and resumed',
    async ({ teamId }) => {
      await given.admin('post', `/api/teams/${teamId}/suspend`);
      await given.admin('post', `/api/teams/${teamId}/resume`);
    },
  ],
  [
    'is of a suspended organization',
    ({ organizationId }) => given.admin('put', `/api/organizations/${organizationId}`, { status: 'suspended' }),
  ],
  [
    'is of an organization that was suspended and resumed',
    async ({ organizationId }) => {
      await given.admin('put', `/api/organizations/${organizationId}`, { status: 'suspended' });
      await given.admin('put', `/api/organizations/${organizationId}`, { status: 'active' });
    },
  ],
])("a team's session that %s is a 401 that clears the cookie", async (_what, happens) => {
  const { team, session } = await teamWithSession();
  expect((await read(session)).status).toBe(200);

  await happens(team);
  const answer = await read(session);

  expect(answer).toMatchObject(ended);
  expect(answer.headers.get('set-cookie')).toMatch(/^gateway-session-[0-9a-f]{10}=; .*Max-Age=0$/);
});

test.each<[string, (userId: string) => Promise<unknown>]>([
  ['has expired', (userId) => sql('update admin_sessions set expires_at = now() where user_id = $1', [userId])],
  [
    'was not used for the idle timeout',
    (userId) =>
      sql(
        `update admin_sessions set created_at = created_at - interval '31 minutes', seen_at = null where user_id = $1`,
        [userId],
      ),
  ],
  [
    'is of a deactivated user',
    (userId) => admins.send('put', `/${userId}`, { token: owner, body: { is_active: false } }),
  ],
  [
    'is of a user with a new password',
    (userId) =>
      admins.send('post', `/${userId}/change-password`, {
        token: owner,
        body: { new_password: 'a new long password' },
      }),
  ],
])("an admin's session that %s is a 401 that clears the cookie", async (_what, happens) => {
  owner = (await admins.owner()).token;
  const { email, user_id } = await admins.created({ role: 'admin' });
  const session = await browser.signedIn({ email, password: goodPassword });
  expect((await read(session)).status).toBe(200);

  await happens(user_id);
  const answer = await read(session);

  expect(answer).toMatchObject(ended);
  expect(answer.headers.get('set-cookie')).toMatch(/^gateway-session-[0-9a-f]{10}=; .*Max-Age=0$/);
});
let owner = '';

test("a team's session of a key in its grace period lasts until the grace ends (spec 19.2)", async () => {
  const { team, session } = await teamWithSession();

  await rotate(team, 3_600);

  const { expires_at } = expectOk(await read(session));
  const remainingMs = Date.parse(expires_at) - Date.now();
  expect(remainingMs).toBeGreaterThan(3_500_000);
  expect(remainingMs).toBeLessThanOrEqual(3_600_000);
});

test('the use of a session is noted at most once a minute (spec 19.2)', async () => {
  const { team, session } = await teamWithSession();
  const seen = async () =>
    (await sql(`select seen_at::text from team_sessions where ${ofTeam}`, [team.teamId])).rows[0].seen_at as string;
  const set = async (ago: string) => {
    await sql(`update team_sessions set seen_at = now() - interval '${ago}' where ${ofTeam}`, [team.teamId]);
    return seen();
  };

  const recent = await set('50 seconds');
  await read(session);
  expect(await seen()).toBe(recent);

  const earlier = await set('70 seconds');
  await read(session);
  expect(await seen()).not.toBe(earlier);
});

test.each<[string, (session: Browser) => Promise<unknown>]>([
  [
    'a request that a page sends by itself',
    async ({ send }) => expectOk(await send('get', '/api/session', { headers: { 'x-console': '0' } })),
  ],
  [
    'a stream of events',
    async ({ cookie }) => {
      const reader = await readEvents(gateway.current.url, { cookie });
      await reader.event('ready');
      await reader.leave();
    },
  ],
])('%s is answered and does not count as a use of its session, of a team or an admin', async (_what, send) => {
  const team = await given.team();
  const { email } = await admins.created({ role: 'admin' });
  const sessions = [
    await browser.signedIn({ virtual_key: team.key }),
    await browser.signedIn({ email, password: goodPassword }),
  ];
  const seen = async () => {
    const { rows } = await sql(
      `select seen_at::text from team_sessions where ${ofTeam}
       union all select seen_at::text from admin_sessions join admin_users using (user_id) where email = $2`,
      [team.teamId, email],
    );
    return rows.map(({ seen_at }) => seen_at);
  };
  await sql(`update team_sessions set seen_at = now() - interval '20 minutes' where ${ofTeam}`, [team.teamId]);
  await sql(
    `update admin_sessions set seen_at = now() - interval '20 minutes'
      where user_id in (select user_id from admin_users where email = $1)`,
    [email],
  );
  const before = await seen();

  for (const session of sessions) await send(session);
  const after = await seen();
  for (const session of sessions) await read(session);

  expect(before).toHaveLength(2);
  expect(after).toEqual(before);
  expect((await seen()).filter((at) => before.includes(at))).toEqual([]);
});

test('a session by cookie that is used goes on beyond the idle timeout, and a bearer token has no idle timeout (spec 19.2)', async () => {
  const { email, user_id } = await admins.created({ role: 'admin' });
  const session = await browser.signedIn({ email, password: goodPassword });
  const token = await admins.token(email);
  const older = `update admin_sessions set created_at = created_at - interval '40 minutes', seen_at = seen_at - interval '20 minutes'
                  where user_id = $1`;
  await sql('update admin_sessions set seen_at = now() where user_id = $1', [user_id]);

  await sql(older, [user_id]);

  expect((await read(session)).status).toBe(200);
  await sql('update admin_sessions set seen_at = null where user_id = $1', [user_id]);
  expect((await read(session)).status).toBe(401);
  expect((await admins.send('get', '/me', { token })).status).toBe(200);
});

test('a sign-out ends the session, clears its cookie and is audited, for a team (spec 19.9)', async () => {
  const { team, session } = await teamWithSession();
  const other = await browser.signedIn({ virtual_key: team.key });

  const answer = await session.send('delete', '/api/session');

  expect(expectOk(answer)).toEqual({ message: 'Signed out successfully' });
  expect(answer.headers.get('set-cookie')).toMatch(
    /^gateway-session-[0-9a-f]{10}=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/,
  );
  expect(await read(session)).toMatchObject(ended);
  expect((await session.send('delete', '/api/session')).status).toBe(401);
  expect((await read(other)).status).toBe(200);
  const [entry] = await readAudit(gateway.current, team.teamId);
  expect(entry).toMatchObject({ action: 'logout', resource_type: 'team' });
});

test('a sign-out ends the session, clears its cookie and is audited, for an admin', async () => {
  const { email, user_id } = await admins.created({ role: 'user' });
  const session = await browser.signedIn({ email, password: goodPassword });

  expectOk(await session.send('delete', '/api/session'));

  expect(await read(session)).toMatchObject(ended);
  expect((await readAudit(gateway.current, user_id))[0]).toMatchObject({ action: 'logout', user_id });
});

test('maintenance deletes sessions of teams that ended before the retention, and no others', async () => {
  const { team } = await teamWithSession();
  await browser.signedIn({ virtual_key: team.key });
  const count = async () => (await sql(`select from team_sessions where ${ofTeam}`, [team.teamId])).rowCount;
  await sql(
    `update team_sessions set expires_at = now() - interval '31 days'
      where session_id = (select session_id from team_sessions where ${ofTeam} limit 1)`,
    [team.teamId],
  );
  expect(await count()).toBe(2);

  await maintain(gateway.current);

  expect(await count()).toBe(1);
});

test('a session goes on while the digest of its key is stored anew', async () => {
  const { team, session } = await teamWithSession();

  await sql(`update virtual_keys set key_hash = sha256(key_hash) where team_id = $1`, [team.teamId]);

  expect((await read(session)).status).toBe(200);
});
