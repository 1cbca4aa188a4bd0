import { expectOk, givenIn, unique } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);
const given = givenIn(gateway);

const entries = async (query: string) =>
  admins.send('get', `/audit-logs${query}`, { token: (await admins.owner()).token });
const actionsOf = (log: { action: string }[]) => log.map(({ action }) => action);

test('the audit log lists the actions of admin users, newest first, without secrets (spec 12.10)', async () => {
  const owner = await admins.owner();
  const { userId, email, token } = await admins.admin('owner');
  const { user_id } = expectOk(await admins.create({}, token));
  await admins.send('put', `/${user_id}`, { token, body: { display_name: 'Other' } });
  await admins.send('post', `/${user_id}/change-password`, { token, body: { new_password: 'another password' } });
  await admins.send('delete', `/${user_id}`, { token });
  await admins.send('post', '/logout', { token });

  const log = expectOk(await entries(`?user_id=${userId.toUpperCase()}`));

  expect(actionsOf(log)).toEqual([
    'logout',
    'deleted_user',
    'changed_password',
    'updated_user',
    'created_user',
    'login',
  ]);
  expect(log[1]).toEqual({
    audit_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user_id: userId,
    user_name: 'Somebody',
    action: 'deleted_user',
    resource_type: 'admin_user',
    resource_id: user_id,
    details: { email: expect.any(String), role: 'user' },
    ip_address: expect.stringMatching(/^10\./),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(log[5]).toMatchObject({ resource_id: userId, details: { email } });
  expect(JSON.stringify(log)).not.toMatch(/another password|correct horse|\$2b\$/);
  expect(actionsOf(expectOk(await entries(`?user_id=${owner.userId}&action=setup_owner`)))).toEqual(['setup_owner']);
});

test('the audit entry of an action of the platform key has no user (spec 12.10)', async () => {
  const group_name = unique('group');
  await given.admin('post', '/api/model-groups/create', { group_name });

  const [entry] = expectOk(await entries('?action=created_model_group&limit=1'));

  expect(entry).toMatchObject({ resource_type: 'model_group', resource_id: group_name });
  expect(entry).not.toHaveProperty('user_id');
});

test('the details of an audit entry are as they were sent, also if they look like SQL', async () => {
  const team = await given.team();
  const team_alias = `it's "so"? \\? ?? $1\n\\'; --`;
  await given.admin('put', `/api/teams/${team.teamId}`, { team_alias });

  const [entry] = expectOk(await entries('?action=updated_team&limit=1'));

  expect(entry).toMatchObject({ resource_id: team.teamId, details: { team_alias } });
});

test('the audit entries of a deleted user remain', async () => {
  const { userId } = await admins.admin('user');
  await admins.send('delete', `/${userId}`, { token: (await admins.owner()).token });

  expect(actionsOf(expectOk(await entries(`?user_id=${userId}`)))).toEqual(['login']);
});

test('a refused change has no audit entry', async () => {
  await admins.owner();
  const before = expectOk(await entries('?limit=1'));

  await admins.create({ email: (await admins.owner()).email });

  expect(expectOk(await entries('?limit=1'))).toEqual(before);
});

test('a page of the audit log has 50 entries by default and at most 100 (spec 1.7, spec 12.10)', async () => {
  for (let count = 0; count < 5; count += 1)
    await Promise.all(Array.from({ length: 12 }, () => given.modelGroup([], unique('many'))));

  const all = expectOk(await entries('?limit=100'));

  expect(all.length).toBeGreaterThan(60);
  expect(expectOk(await entries(''))).toEqual(all.slice(0, 50));
  expect(expectOk(await entries('?limit=10&offset=50'))).toEqual(all.slice(50, 60));
  expect(expectOk(await entries('?action=no_such_action'))).toEqual([]);
});

test.each([
  ['limit=0', 'limit', 'greater_than_equal'],
  ['limit=101', 'limit', 'less_than_equal'],
  ['limit=ten', 'limit', 'int_parsing'],
  ['offset=-1', 'offset', 'greater_than_equal'],
  ['user_id=me', 'user_id', 'uuid_parsing'],
])('the query %s of the audit log is refused', async (query, name, type) => {
  expect(await entries(`?${query}`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', name], type }] },
  });
});

test('the database refuses changes of audit entries (spec 12.12)', async () => {
  await admins.owner();
  const sql = (text: string) => gateway.current.deps.database.pool.query(text);

  for (const change of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log']) {
    await expect(sql(change)).rejects.toThrow(/append-only|permission denied/);
  }
});
