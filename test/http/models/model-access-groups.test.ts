import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const send = (method: string, path: string, body?: unknown) =>
  sendRequest(gateway.current.url, method, `/api/model-access-groups${path}`, { key: gateway.current.masterKey, body });
const create = (fields: Record<string, unknown> = {}) =>
  send('post', '/create', { group_name: unique('access'), ...fields });
const created = async (fields: Record<string, unknown> = {}) => expectOk(await create(fields));

test('a model access group is created, read, listed, and its creation is audited (spec 7.3)', async () => {
  const group_name = unique('access');
  const model_aliases = [await given.alias(), await given.alias()].sort();

  const group = await created({
    group_name,
    display_name: 'Research',
    model_aliases: [...model_aliases, ...model_aliases],
  });

  expect(group).toEqual({
    model_access_group_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    group_name,
    display_name: 'Research',
    description: null,
    status: 'active',
    model_aliases,
    teams: [],
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(expectOk(await send('get', `/${group_name}`))).toEqual(group);
  expect(expectOk(await send('get', ''))).toContainEqual(group);
  expect(await readAudit(gateway.current, group_name)).toMatchObject([
    { action: 'created_model_access_group', details: { model_aliases: [...model_aliases] } },
  ]);
});

test('a model access group lists its teams', async () => {
  const { group_name } = await created();
  const one = await given.team({ teamId: unique('a'), access_groups: [group_name] });
  const other = await given.team({ teamId: unique('b'), access_groups: [group_name] });

  const teams = [one.teamId, other.teamId];

  expect(expectOk(await send('get', `/${group_name}`)).teams).toEqual(teams);
  expect(expectOk(await send('get', ''))).toContainEqual(expect.objectContaining({ group_name, teams }));
});

test('a model access group with an unknown alias is a 404, and nothing is created (spec 7.6)', async () => {
  const group_name = unique('access');
  const known = await given.alias();

  const answer = await create({ group_name, model_aliases: [known, 'nobody'] });

  expect(answer).toMatchObject({ status: 404, body: { detail: "Model alias 'nobody' not found" } });
  expect((await send('get', `/${group_name}`)).status).toBe(404);
});

test('simultaneous creations of one name create one model access group', async () => {
  const group_name = unique('access');

  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ group_name })));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  expect((await create({ group_name })).body).toEqual({
    detail: `Model access group '${group_name}' already exists`,
    code: 'access_group_exists',
  });
});

test('a change of a model access group replaces the named fields only (spec 7.4)', async () => {
  const [one, other] = [await given.alias(), await given.alias()];
  const group = await created({ description: 'Old', model_aliases: [one] });
  const path = `/${group.group_name}`;

  const first = expectOk(await send('put', path, { model_aliases: [other] }));
  const second = expectOk(await send('put', path, { description: null, status: 'inactive' }));

  expect(first).toEqual({ ...group, model_aliases: [other], updated_at: expect.any(String) });
  expect(second).toEqual({ ...first, description: null, status: 'inactive', updated_at: expect.any(String) });
  expect(expectOk(await send('get', path))).toEqual(second);
});

test('an alias and its access group can be changed at the same moment', async () => {
  const aliases = await Promise.all([given.alias(), given.alias(), given.alias()]);
  const groups = (await Promise.all([create(), create(), create()])).map((answer) => expectOk(answer).group_name);

  const answers = await Promise.all([
    ...groups.map((group) => send('put', `/${group}`, { model_aliases: aliases })),
    ...aliases.map((name) =>
      sendRequest(gateway.current.url, 'put', `/api/model-aliases/${name}`, {
        key: gateway.current.masterKey,
        body: { access_groups: groups },
      }),
    ),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const group of groups) {
    expect(expectOk(await send('get', `/${group}`)).model_aliases).toEqual([...aliases].sort());
  }
});

test('a deleted model access group is removed from its teams and its aliases (spec 7.3)', async () => {
  const name = await given.alias();
  const { group_name } = await created({ model_aliases: [name] });
  const { teamId } = await given.team({ access_groups: [group_name] });

  const deleted = expectOk(await send('delete', `/${group_name}`));

  expect(deleted).toEqual({ message: `Model access group '${group_name}' deleted successfully` });
  expect(await given.admin('get', `/api/model-aliases/${name}`)).toMatchObject({ access_groups: [] });
  expect(await readAudit(gateway.current, group_name)).toMatchObject([
    { action: 'deleted_model_access_group', details: { teams: [teamId] } },
    { action: 'created_model_access_group' },
  ]);
});

test('an unknown model access group is a 404', async () => {
  const detail = "Model access group 'nobody' not found";

  for (const answer of [
    await send('get', '/nobody'),
    await send('put', '/nobody', { model_aliases: [] }),
    await send('delete', '/nobody'),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { detail } });
  }
});
