import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { adminsIn, gatewayForAdmins, uniqueAddress, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);
const given = givenIn(gateway);

const entries = async (action: string) =>
  expectOk(await admins.send('get', `/audit-logs?action=${action}`, { token: (await admins.owner()).token }));

test('a login with a wrong password is audited with its account and address, without the password (spec 12.11)', async () => {
  const { email, user_id } = await admins.created();
  const address = uniqueAddress();

  expect((await admins.login(email, 'canary password', address)).status).toBe(401);

  const [entry] = await entries('failed_login');
  expect(entry).toMatchObject({
    resource_type: 'admin_user',
    resource_id: user_id,
    details: { email, refused: 'login_failed' },
    ip_address: address,
  });
  expect(entry).not.toHaveProperty('user_id');
  expect(JSON.stringify(entry)).not.toContain('canary');
});

test('a login to an inactive account is audited', async () => {
  const { email, user_id } = await admins.created();
  const { token } = await admins.owner();
  await admins.send('put', `/${user_id}`, { token, body: { is_active: false } });

  expect((await admins.login(email)).status).toBe(403);

  const [entry] = await entries('failed_login');
  expect(entry).toMatchObject({ resource_id: user_id, details: { email, refused: 'account_inactive' } });
});

test('failed logins are audited up to the limit of logins, and those of an unknown e-mail never', async () => {
  const [{ email }, unknown, address] = [await admins.created(), uniqueEmail(), uniqueAddress()];

  await Promise.all(Array.from({ length: 15 }, () => admins.login(email, 'wrong password', address)));
  await admins.login(unknown, 'wrong password');

  const emails = (await entries('failed_login')).map(({ details }: { details: { email: string } }) => details.email);
  expect(emails.filter((one: string) => one === email)).toHaveLength(10);
  expect(emails).not.toContain(unknown);
});

test('a wrong current password is audited with the user, without any password', async () => {
  const { userId, token } = await admins.admin('user');
  const body = { current_password: 'canary password', new_password: 'canary number two' };

  expect((await admins.send('post', '/me/change-password', { token, body })).status).toBe(400);

  const [entry] = await entries('failed_password_change');
  expect(entry).toMatchObject({ user_id: userId, resource_type: 'admin_user', resource_id: userId });
  expect(JSON.stringify(entry)).not.toContain('canary');
});

describe("the read of a team's key by an admin", () => {
  const viewed = async (teamId: string) =>
    (await entries('viewed_key')).filter(({ resource_id }: { resource_id: string }) => resource_id === teamId);
  const read = (teamId: string, key: string) =>
    sendRequest(gateway.current.url, 'get', `/api/teams/${teamId}`, { key });

  test('is audited for a user and for the platform key, not for the team itself (spec 2.7)', async () => {
    const { teamId, key } = await given.team();
    const { token, userId } = await admins.admin('admin');

    for (const one of [key, gateway.current.masterKey, token]) expectOk(await read(teamId, one));

    const [byUser, byPlatform, ...others] = await viewed(teamId);
    expect(byUser).toMatchObject({ user_id: userId, resource_type: 'team', ip_address: expect.any(String) });
    expect(byPlatform).not.toHaveProperty('user_id');
    expect(others).toEqual([]);
    expect(JSON.stringify([byUser, byPlatform])).not.toContain('sk-');
  });

  test('is not audited for answers without a key: a list, the credits, an unknown team', async () => {
    const { teamId } = await given.team();
    for (const path of ['/api/teams', `/api/teams/${teamId}/credits`])
      expectOk(await sendRequest(gateway.current.url, 'get', path, { key: gateway.current.masterKey }));

    expect((await read(unique('team'), gateway.current.masterKey)).status).toBe(404);

    expect(await viewed(teamId)).toEqual([]);
  });

  test('is a 503 if the audit entry cannot be written (spec 2.7)', async () => {
    const { teamId, key } = await given.team();
    const { pool } = gateway.current.deps.database;
    // As on a standby: what writes is refused with this code.
    await pool.query(`
      create function refuse_entry() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '25006'; end $$;
      create trigger entries_refused before insert on audit_log for each row
        when (new.action in ('viewed_key', 'repeated_answer')) execute function refuse_entry()`);
    try {
      const refused = await read(teamId, gateway.current.masterKey);

      expect(refused.status).toBe(503);
      expect(refused.text).not.toContain('sk-');
      expect((await read(teamId, key)).status).toBe(200);
    } finally {
      await pool.query('drop trigger entries_refused on audit_log');
    }
  });

  test('is audited again when the answer of a rotation is repeated under its Idempotency-Key (spec 10.10)', async () => {
    const { teamId } = await given.team();
    const path = `/api/teams/${teamId}/rotate-key`;
    const { masterKey: key, url } = gateway.current;
    const rotate = () => sendRequest(url, 'post', path, { key, headers: { 'idempotency-key': teamId } });

    const [first, again] = [expectOk(await rotate()), expectOk(await rotate())];

    expect(again).toEqual(first);
    const [entry, ...others] = await entries('repeated_answer');
    expect(entry).toMatchObject({ resource_type: 'request', resource_id: path });
    expect(others).toEqual([]);
    await deleteStoredAnswers(gateway.current);
    expect(expectOk(await rotate())).toEqual(first);
  });
});
