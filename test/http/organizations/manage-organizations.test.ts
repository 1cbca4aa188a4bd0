import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const upstreamOf = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId);

test('a team reads its own organization only (spec 2.10, spec 8.5)', async () => {
  const [team, other] = [await given.team(), await given.team()];

  for (const path of ['', '/teams', '/usage?period=2026-01']) {
    expect((await as(gateway, team).get(`/api/organizations/${team.organizationId}${path}`)).status).toBe(200);
    expect(await as(gateway, team).get(`/api/organizations/${other.organizationId}${path}`)).toMatchObject({
      status: 403,
      body: { detail: `API key does not belong to organization '${other.organizationId}'` },
    });
    // Whether an id exists is not for a stranger to find out.
    expect((await as(gateway, team).get(`/api/organizations/unheard-of${path}`)).status).toBe(403);
    expect((await admin.get(`/api/organizations/unheard-of${path}`)).status).toBe(404);
  }
});

test('the teams of an organization are listed, the oldest first (spec 8.5)', async () => {
  const organizationId = await given.organization();
  const first = await given.team({ organizationId });
  const second = await given.team({ organizationId });

  const { body } = await as(gateway, second).get(`/api/organizations/${organizationId}/teams`);

  expect(body).toEqual({ organization_id: organizationId, team_count: 2, teams: [first.teamId, second.teamId] });
});

test('a page of organizations has their total number (spec 8.1)', async () => {
  const ids = [await given.organization(), await given.organization(), await given.organization()];
  expectOk(await admin.put(`/api/organizations/${ids[1]}`, { status: 'suspended' }));
  const { total } = (await admin.get('/api/organizations?limit=1')).body;

  const page = (await admin.get(`/api/organizations?limit=2&offset=${total - 3}`)).body;
  const suspended = (await admin.get('/api/organizations?status=suspended')).body;

  expect(page).toMatchObject({ total, organizations: [{ organization_id: ids[0] }, { organization_id: ids[1] }] });
  expect(suspended.organizations).toContainEqual(expect.objectContaining({ organization_id: ids[1] }));
  expect(suspended.organizations.every(({ status }: { status: string }) => status === 'suspended')).toBe(true);
});

test('a change of an organization replaces the named fields only (spec 8.1)', async () => {
  const organizationId = await given.organization();
  expectOk(await admin.put(`/api/organizations/${organizationId}`, { metadata: { a: 1 } }));

  const changed = await admin.put(`/api/organizations/${organizationId}`, { name: 'Renamed', metadata: null });

  expect(changed.body).toMatchObject({ name: 'Renamed', status: 'active', metadata: { a: 1 } });
  expect(changed.body.updated_at > changed.body.created_at).toBe(true);
  expect(await readAudit(gateway.current, organizationId)).toMatchObject([
    { action: 'updated_organization', details: { name: 'Renamed' } },
    { action: 'updated_organization', details: { metadata: 'replaced' } },
    { action: 'created_organization' },
  ]);
});

test.each(['suspended', 'deleted'])(
  'the keys of the teams of a %s organization are refused, here and upstream (spec 2.4)',
  async (status) => {
    const team = await given.team();

    expectOk(await admin.put(`/api/organizations/${team.organizationId}`, { status }));

    expect(await as(gateway, team).get(`/api/teams/${team.teamId}`)).toMatchObject({
      status: 403,
      body: { detail: `Team '${team.teamId}' is suspended` },
    });
    expect(upstreamOf(team.teamId)?.blocked).toBe(true);
    const another = { organization_id: team.organizationId, team_id: unique('team'), model_groups: [] };
    expect((await admin.post('/api/teams/create', another)).status).toBe(400);

    expectOk(await admin.put(`/api/organizations/${team.organizationId}`, { status: 'active' }));
    expect((await as(gateway, team).get(`/api/teams/${team.teamId}`)).status).toBe(200);
    expect(upstreamOf(team.teamId)?.blocked).toBe(false);
  },
);

test('a change of an organization by an admin user is audited with that user', async () => {
  const organizationId = await given.organization();
  const { url } = gateway.current;
  const owner = { email: 'owner@example.com', display_name: 'Owner', password: 'correct horse battery' };
  const { access_token, user } = expectOk(await sendRequest(url, 'post', '/api/admin-users/setup', { body: owner }));

  const body = { name: 'Renamed' };
  expectOk(await sendRequest(url, 'put', `/api/organizations/${organizationId}`, { key: access_token, body }));

  expect((await readAudit(gateway.current, organizationId))[0]).toMatchObject({ user_id: user.user_id });
});

test.each([
  ['put', { status: 'Active' }, 422],
  ['put', { name: '' }, 422],
  ['put', { metadata: 'a' }, 422],
  ['put', {}, 200],
] as const)('the %s of an organization with %j is answered with %i', async (method, body, status) => {
  const organizationId = await given.organization();

  expect((await admin[method](`/api/organizations/${organizationId}`, body)).status).toBe(status);
});

test.each([
  'limit=0',
  'limit=1001',
  'limit=ten',
  'limit=1&limit=2',
  'limit[]=1',
  'offset=-1',
  'offset=2147483648',
  'status=open',
])('the lists of organizations and teams with %s are refused', async (query) => {
  for (const path of ['/api/organizations', '/api/teams']) {
    expect((await admin.get(`${path}?${query}`)).status).toBe(422);
  }
});

test('each of several simultaneous changes of an organization returns its own result', async () => {
  const path = `/api/organizations/${await given.organization()}`;
  const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);

  const answers = await Promise.all(names.map((name) => admin.put(path, { name, metadata: { name } })));

  expect(answers.map((answer) => expectOk(answer))).toMatchObject(names.map((name) => ({ name, metadata: { name } })));
});

test('a change of an unknown organization is a 404', async () => {
  expect((await admin.put('/api/organizations/unheard-of', { name: 'a' })).status).toBe(404);
});
