import { expectOk, givenIn, unique } from '../../support/given.ts';
import { type Admin, adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);
const given = givenIn(gateway);

/** Somebody of that role for one request to be about. Nobody logs in as them, so they need no password. */
const account = (role: string) => async (): Promise<string> => {
  const made = await gateway.current.deps.database.pool.query(
    `insert into admin_users (user_id, email, display_name, role, password_hash)
     values (gen_random_uuid(), $1, 'A target', $2, 'none') returning user_id`,
    [uniqueEmail(), role],
  );
  return made.rows[0].user_id;
};

/** An invitation by the first owner. */
const invitation = (role: string) => async (): Promise<string> => {
  const { token } = await admins.owner();
  const body = { email: uniqueEmail(), role };
  return expectOk(await admins.send('post', '/invitations', { token, body })).invitation_id;
};

const callers: Record<string, Promise<Admin>> = {};
const caller = (role: string): Promise<Admin> => {
  callers[role] ??= admins.admin(role);
  return callers[role];
};
const newUser = (role: string) => ({ email: uniqueEmail(), display_name: 'New', password: goodPassword, role });
const rename = { display_name: 'Renamed' };

interface Row {
  what: string;
  method: string;
  path: (target: string) => string;
  target?: () => Promise<string>;
  body?: () => unknown;
  owner: number;
  admin: number;
  user: number;
}

const rows: Row[] = [
  { what: 'read me', method: 'get', path: () => '/me', owner: 200, admin: 200, user: 200 },
  { what: 'list the invitations', method: 'get', path: () => '/invitations', owner: 200, admin: 200, user: 403 },
  { what: 'list', method: 'get', path: () => '', owner: 200, admin: 200, user: 403 },
  { what: 'read the audit log', method: 'get', path: () => '/audit-logs', owner: 200, admin: 200, user: 403 },
  ...(['owner', 'admin', 'user'] as const).flatMap((role): Row[] => {
    const allowed = { owner: 200, admin: role === 'user' ? 200 : 403, user: 403 };
    const target = account(role);
    const path = (id: string) => `/${id}`;
    return [
      {
        what: `invite to the role ${role}`,
        method: 'post',
        path: () => '/invitations',
        body: () => ({ email: uniqueEmail(), role }),
        ...allowed,
      },
      {
        what: `renew an invitation to the role ${role}`,
        method: 'post',
        path: (id: string) => `/invitations/${id}/renew`,
        target: invitation(role),
        ...allowed,
      },
      {
        what: `withdraw an invitation to the role ${role}`,
        method: 'delete',
        path: (id: string) => `/invitations/${id}`,
        target: invitation(role),
        ...allowed,
      },
      { what: `create of role ${role}`, method: 'post', path: () => '', body: () => newUser(role), ...allowed },
      { what: `change one of role ${role}`, method: 'put', path, target, body: () => rename, ...allowed },
      {
        what: `make a user one of role ${role}`,
        method: 'put',
        path,
        target: account('user'),
        body: () => ({ role }),
        ...allowed,
      },
      { what: `delete one of role ${role}`, method: 'delete', path, target, ...allowed },
      {
        what: `change the password of one of role ${role}`,
        method: 'post',
        path: (id: string) => `/${id}/change-password`,
        target,
        body: () => ({ new_password: 'another password' }),
        owner: 200,
        admin: 403,
        user: 403,
      },
      // Whoever may is told that there is none.
      {
        what: `take the second factor of one of role ${role} away`,
        method: 'delete',
        path: (id: string) => `/${id}/second-factor`,
        target,
        ...Object.fromEntries(Object.entries(allowed).map(([who, status]) => [who, status === 200 ? 409 : status])),
      } as Row,
    ];
  }),
];

/** These end the session that asks, or others of the same user. */
const lastRows: Row[] = [
  {
    what: 'change the own password',
    method: 'post',
    path: () => '/me/change-password',
    body: () => ({ current_password: goodPassword, new_password: 'another password' }),
    owner: 200,
    admin: 200,
    user: 200,
  },
  { what: 'log out', method: 'post', path: () => '/logout', owner: 200, admin: 200, user: 200 },
];

const nobody = async () => '00000000-0000-4000-8000-000000000000';

test.each([...rows, ...lastRows])(
  'the request to $what is answered by role (spec 12.6, spec 12.20)',
  async ({ what, method, path, target = nobody, body, ...expected }) => {
    const statuses: Record<string, number> = {};

    for (const role of ['user', 'admin', 'owner']) {
      const { token } = await caller(role);
      const answer = await admins.send(method, path(await target()), { token, body: body?.() });
      statuses[role] = answer.status;
      if (answer.status === 403)
        expect(answer.body).toEqual({ detail: 'Insufficient permissions', code: 'role_insufficient' });
    }

    expect(statuses).toEqual(expected);
  },
);

/** What is no access token of a session that lasts is 401, on every route that wants one. */
const credentials: Record<string, () => Promise<Record<string, string>>> = {
  nothing: async () => ({}),
  garbage: async () => ({ authorization: 'Bearer not-a-token' }),
  'another scheme': async () => ({ authorization: `Basic ${(await admins.owner()).token}` }),
  'the platform key as a bearer': async () => ({ authorization: `Bearer ${gateway.current.masterKey}` }),
  'the platform key in X-Admin-Key': async () => ({ 'x-admin-key': gateway.current.masterKey }),
  "a team's key": async () => ({ authorization: `Bearer ${(await given.team()).key}` }),
  'a revoked token': async () => {
    const { token } = await admins.admin('owner');
    await admins.send('post', '/logout', { token });
    return { authorization: `Bearer ${token}` };
  },
  'an expired token': async () => {
    const { userId, token } = await admins.admin('owner');
    await gateway.current.deps.database.pool.query(
      "update admin_sessions set expires_at = now() - interval '1 second' where user_id = $1",
      [userId],
    );
    return { authorization: `Bearer ${token}` };
  },
};

test.each(Object.keys(credentials))(
  'with %s as the credential every route of admin users is a 401 (spec 2.2)',
  async (name) => {
    const headers = await credentials[name]!();
    const target = await account('user')();

    const answers = await Promise.all(
      [...rows, ...lastRows].map(({ method, path, body }) =>
        admins.send(method, path(target), { headers, body: body?.() }),
      ),
    );

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { detail: expect.stringMatching(/access token$/) } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  },
);

test('routes of admin users use the access token and ignore a platform key beside it', async () => {
  const headers = { 'x-admin-key': gateway.current.masterKey };
  const { token } = await admins.admin('user');

  expect((await admins.send('get', '/me', { token, headers })).status).toBe(200);
  expect((await admins.send('get', '', { token, headers })).status).toBe(403);
});

test('a caller without the right gets a 403 before the body is validated (spec 1.2)', async () => {
  const { token } = await admins.admin('user');

  expect((await admins.send('post', '', { token, body: { role: 'root' } })).status).toBe(403);
  expect((await admins.send('put', '/no-id', { token, body: {} })).status).toBe(403);
  expect((await admins.send('get', '/audit-logs?limit=0', { token })).status).toBe(403);
});

test('routes of admin users ignore an Idempotency-Key', async () => {
  const { token } = await admins.owner();
  const headers = { 'idempotency-key': unique('key') };
  const body = newUser('user');

  expect((await admins.send('post', '', { token, headers, body })).status).toBe(200);
  expect((await admins.send('post', '', { token, headers, body })).status).toBe(400);
});
