import { expectOk } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';
import { cookieIn } from '../sessions/browser.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueAddress, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins({ COMMON_PASSWORDS: 'refused' });
const admins = adminsIn(gateway);

const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const invalid = { status: 401, body: { code: 'invitation_invalid' } };

const invite = async (fields: Record<string, unknown> = {}, by?: string): Promise<Answer> => {
  const token = by ?? (await admins.owner()).token;
  return admins.send('post', '/invitations', { token, body: { email: uniqueEmail(), role: 'admin', ...fields } });
};
const invited = async (fields?: Record<string, unknown>, by?: string): Promise<Json> =>
  expectOk(await invite(fields, by));
/** Each from an address of its own: wrong links are limited. */
const read = (token: string, address = uniqueAddress()) =>
  admins.send('post', '/invitations/read', { body: { token }, address });
const accept = (token: string, fields: Record<string, unknown> = {}, address = uniqueAddress()) =>
  admins.send('post', '/invitations/accept', {
    body: { token, display_name: 'New here', password: goodPassword, ...fields },
    address,
  });
const list = async (): Promise<Json[]> =>
  expectOk(await admins.send('get', '/invitations', { token: (await admins.owner()).token })).invitations;
const audit = async (action: string, q: string): Promise<Json[]> => {
  const { token } = await admins.owner();
  const entries: Json[] = expectOk(await admins.send('get', `/audit-logs?action=${action}&limit=100`, { token }));
  return entries.filter((entry) => JSON.stringify(entry).includes(q));
};

test('an invitation has a link that is shown once and stored as a digest, and ends after seven days (spec 12.20)', async () => {
  const owner = await admins.owner();
  const answer = await invite({ email: uniqueEmail('guest') });

  const { token, path, ...invitation } = expectOk(answer);

  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(path).toBe(`/console/invitation#${token}`);
  expect(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)).toBe(7 * 86_400_000);
  expect(await list()).toContainEqual({ ...invitation, invited_by: owner.userId, is_open: true });
  expect(JSON.stringify(await list())).not.toContain(token);
  const { rows } = await sql('select * from admin_invitations where invitation_id = $1', [invitation.invitation_id]);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(await audit('invited_user', invitation.invitation_id)).toMatchObject([
    { user_id: owner.userId, details: { email: invitation.email, role: 'admin' } },
  ]);
  expect(JSON.stringify(await audit('invited_user', ''))).not.toContain(token);
});

test('who has the link sees who invites and the role, makes the account and is signed in by cookie (spec 12.21)', async () => {
  const { token, email, expires_at } = await invited({ role: 'user' });

  const seen = expectOk(await read(token));
  const accepted = await accept(token, { display_name: 'Alan' });

  expect(seen).toEqual({ email, role: 'user', invited_by_name: 'The first owner', expires_at });
  const session = expectOk(accepted);
  expect(session).toMatchObject({ kind: 'admin', role: 'user', user: { email, display_name: 'Alan' } });
  const cookie = cookieIn(accepted)!;
  const own = await sendRequest(gateway.current.url, 'get', '/api/session', { headers: { cookie } });
  expect(expectOk(own).user.email).toBe(email);
  expect((await admins.login(email)).status).toBe(200);
  expect((await list()).map((one) => one.email)).not.toContain(email);
  expect(await audit('accepted_invitation', email)).toMatchObject([
    { user_id: session.user.user_id, details: { role: 'user', invited_by: (await admins.owner()).userId } },
  ]);
});

test('of many who accept an invitation at once one makes the account (spec 12.21)', async () => {
  const { token, email } = await invited();

  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => accept(token, { display_name: `No ${n}` })));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(invalid);
  const { rows } = await sql('select count(*)::int as count from admin_users where email = $1', [email]);
  expect(rows[0].count).toBe(1);
});

const changeInviter = (body: object) => async (inviter: { userId: string }) =>
  expectOk(await admins.send('put', `/${inviter.userId}`, { token: (await admins.owner()).token, body }));

test.each<[string, (invitation: Json, inviter: { userId: string; token: string }) => Promise<unknown>]>([
  ['was used', ({ token }) => accept(token)],
  [
    'was withdrawn',
    ({ invitation_id }, { token }) => admins.send('delete', `/invitations/${invitation_id}`, { token }),
  ],
  [
    'was renewed',
    ({ invitation_id }, { token }) => admins.send('post', `/invitations/${invitation_id}/renew`, { token }),
  ],
  [
    'has expired',
    ({ invitation_id }) =>
      sql('update admin_invitations set expires_at = now() where invitation_id = $1', [invitation_id]),
  ],
  ['was made by somebody who is deactivated', (_, inviter) => changeInviter({ is_active: false })(inviter)],
  ['was made by somebody who was demoted', (_, inviter) => changeInviter({ role: 'admin' })(inviter)],
  [
    'was made by somebody who was deleted',
    async (_, { userId }) =>
      expectOk(await admins.send('delete', `/${userId}`, { token: (await admins.owner()).token })),
  ],
  [
    'was made by somebody who has left',
    async (_, { token }) => expectOk(await admins.send('delete', '/me', { token })),
  ],
  [
    'was made by somebody whose role was changed in the database',
    (_, { userId }) => sql(`update admin_users set role = 'user' where user_id = $1`, [userId]),
  ],
])('a link that %s is refused as one that never existed (spec 12.21, spec 12.22)', async (_what, end) => {
  const inviter = await admins.admin('owner');
  const invitation = await invited({ role: 'owner' }, inviter.token);
  expectOk(await read(invitation.token));

  await end(invitation, inviter);

  const never = await read(`invite_${'x'.repeat(43)}`);
  expect(never).toMatchObject(invalid);
  for (const answer of [await read(invitation.token), await accept(invitation.token)])
    expect([answer.status, answer.body]).toEqual([never.status, never.body]);
});

test('an invitation that was deactivated with its inviter does not come back with them (spec 12.22)', async () => {
  const inviter = await admins.admin('admin');
  const { token, email } = await invited({ role: 'user' }, inviter.token);

  await changeInviter({ is_active: false })(inviter);
  await changeInviter({ is_active: true })(inviter);

  expect(await accept(token)).toMatchObject(invalid);
  expect((await list()).map((one) => one.email)).not.toContain(email);
});

test('an inviter who keeps the right keeps the invitations (spec 12.22)', async () => {
  const inviter = await admins.admin('owner');
  const { token } = await invited({ role: 'user' }, inviter.token);

  await changeInviter({ role: 'admin' })(inviter);

  expectOk(await accept(token));
});

test('of an acceptance and the demotion of the inviter at once either comes first (spec 12.22)', async () => {
  const inviter = await admins.admin('owner');
  const { token, email } = await invited({ role: 'owner' }, inviter.token);

  const [accepted] = await Promise.all([accept(token), changeInviter({ role: 'user' })(inviter)]);

  const { rows } = await sql('select role from admin_users where email = $1', [email]);
  if (accepted.status === 200) expect(rows).toEqual([{ role: 'owner' }]);
  else {
    expect(accepted).toMatchObject(invalid);
    expect(rows).toEqual([]);
  }
});

test('a renewed invitation has a new link, seven more days, and the renewer as its inviter (spec 12.20)', async () => {
  const { invitation_id, token, email } = await invited({ role: 'user' });
  await sql(`update admin_invitations set expires_at = now() - interval '1 day' where invitation_id = $1`, [
    invitation_id,
  ]);
  const admin = await admins.admin('admin');
  expect((await list()).find((one) => one.email === email)).toMatchObject({ is_open: false });

  const renewed = expectOk(await admins.send('post', `/invitations/${invitation_id}/renew`, { token: admin.token }));

  expect(renewed).toMatchObject({ invitation_id, email, is_open: true, invited_by: admin.userId });
  expect(renewed.token).not.toBe(token);
  expectOk(await accept(renewed.token));
});

test('an e-mail with an account, and one that is invited, is refused (spec 12.20)', async () => {
  const { email } = await admins.created();
  const { email: guest, token } = await invited();

  expect(await invite({ email })).toMatchObject({ status: 400, body: { code: 'email_registered' } });
  expect(await invite({ email: guest })).toMatchObject({ status: 400, body: { code: 'email_invited' } });
  await admins.created({ email: guest });
  expect(await accept(token)).toMatchObject({ status: 400, body: { code: 'email_registered' } });
});

test.each([
  ['a short password', { password: 'short' }],
  ['a common password', { password: 'password1' }],
  ['no name', { display_name: '' }],
])('%s is refused as elsewhere, and the invitation stays (spec 12.8, spec 12.21)', async (_what, fields) => {
  const { token } = await invited();

  expect((await accept(token, fields)).status).toBe(422);
  expect((await accept('invite_unknown', fields)).status).toBe(422);
  expectOk(await accept(token));
});

test('after ten wrong links from one address further ones are refused, also right ones, and elsewhere none (spec 12.21)', async () => {
  const address = uniqueAddress();
  const { token } = await invited();
  const wrong = await Promise.all(Array.from({ length: 12 }, (_, n) => read(`invite_${n}`, address)));

  expect(wrong.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
  expect((await accept(token, {}, address)).status).toBe(429);
  expectOk(await accept(token));
});

test('an installation has at most 100 invitations (spec 12.20)', async () => {
  const { userId } = await admins.owner();
  await sql(
    `insert into admin_invitations (invitation_id, email, role, invited_by, token_hash, created_at, expires_at)
     select gen_random_uuid(), n || '@many.example.com', 'user', $1, sha256(n::text::bytea), now(), now()
       from generate_series(1, 100) n`,
    [userId],
  );

  expect(await invite()).toMatchObject({ status: 400, body: { code: 'invitations_at_most' } });
  await sql(`delete from admin_invitations where email like '%many.example.com'`);
  expectOk(await invite());
});

test('a page of another origin cannot accept an invitation (spec 12.21)', async () => {
  const { token } = await invited();

  const answer = await admins.send('post', '/invitations/accept', {
    body: { token, display_name: 'Mallory', password: goodPassword },
    headers: { 'sec-fetch-site': 'cross-site' },
  });

  expect(answer).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
  expectOk(await read(token));
});
