import { as, expectOk, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { creatingTeams } from './creating-teams.ts';

const { gateway, given, admin, create, bare, upstreamOf, keysUpstream } = creatingTeams();

test('a created team has its credits, its models and its key (spec 8.6)', async () => {
  const group = await given.modelGroup(['sim-ok', 'sim-fast']);
  const body = { ...(await bare()), model_groups: [group, group], credits_allocated: 5, team_alias: 'Review' };

  const created = await create(body);

  expect(created.body).toMatchObject({
    team_id: body.team_id,
    organization_id: body.organization_id,
    model_groups: [group],
    allowed_models: ['sim-ok', 'sim-fast'],
    credits_allocated: 5,
    credits_remaining: 5,
    credit_limit: 5,
    virtual_key: expect.stringMatching(/^sk-[0-9A-Za-z]{48}$/),
    message: expect.any(String),
  });
  expect(created.headers.get('cache-control')).toBe('no-store');
  const team = { organizationId: body.organization_id, teamId: body.team_id, modelGroup: group };
  const own = as(gateway, { ...team, key: created.body.virtual_key });
  const shown = await own.get(`/api/teams/${body.team_id}`);
  expect(shown.headers.get('cache-control')).toBe('no-store');
  expect(shown.body).toMatchObject({
    model_groups: [group],
    credits: { team_id: body.team_id, credits_remaining: 5, virtual_key: created.body.virtual_key },
  });
  expect(shown.text).not.toContain('sim-ok');
  expect((await own.get(`/api/teams/${body.team_id}/credits/transactions`)).body.transactions).toMatchObject([
    { transaction_type: 'allocation', credits_before: 0, credits_after: 5, reason: 'Initial allocation' },
  ]);
  expect(await readAudit(gateway.current, body.team_id)).toMatchObject([{ action: 'created_team', user_id: null }]);
});

test('the allowed models of a team are in the order of its groups and their priorities, each once (spec 8.6)', async () => {
  const [first, second] = [await given.modelGroup(['c', 'a']), await given.modelGroup(['a', 'b'])];

  const { body } = await create({ ...(await bare()), model_groups: [second, first] });

  expect(body).toMatchObject({ model_groups: [second, first], allowed_models: ['a', 'b', 'c'] });
});

test('a created team is registered upstream with its key, its models and its budget (spec 8.3)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-ok'], team_alias: 'Review' });

  expect(upstreamOf(team.teamId)).toMatchObject({
    team_alias: 'Review',
    models: ['sim-ok'],
    max_budget: 0.5,
    blocked: false,
  });
  expect(keysUpstream(team.teamId)).toHaveLength(1);
});

test('the older fields of a creation set the name, the upstream id and the budget of a team (spec 8.3)', async () => {
  const body = { ...(await bare()), name: 'Old', proxy_team_id: unique('proxy'), max_budget: 12.5 };

  expectOk(await create(body));

  expect((await admin.get(`/api/teams/${body.team_id}`)).body.team_alias).toBe('Old');
  expect(upstreamOf(body.proxy_team_id)).toMatchObject({ team_alias: 'Old', max_budget: 12.5 });
  const another = { ...body, team_id: unique('team') };
  expect(await create(another)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('Upstream team') },
  });
});

test.each([
  ['an organization that is not there', { organization_id: 'unheard-of' }],
  ['a model group that is not there', { model_groups: ['unheard-of'] }],
  ['an access group that is not there', { access_groups: ['unheard-of'] }],
])('a team with %s is a 404, and nothing is created (spec 7.6)', async (_, wrong) => {
  const body = { ...(await bare()), ...wrong };

  expect((await create(body)).status).toBe(404);

  expect((await admin.get(`/api/teams/${body.team_id}`)).status).toBe(404);
  expect(upstreamOf(body.team_id)).toBeUndefined();
});

test('an unknown model group is reported before a suspended organization (spec 8.6)', async () => {
  const body = await bare();
  expectOk(await admin.put(`/api/organizations/${body.organization_id}`, { status: 'suspended' }));

  expect((await create({ ...body, model_groups: ['unheard-of'] })).status).toBe(404);
  expect((await create({ ...body, access_groups: ['unheard-of'] })).status).toBe(404);
  expect((await create(body)).status).toBe(400);
});

test('omitted settings of a new team have their defaults, and null is unlimited (spec 6.3, spec 6.9)', async () => {
  const body = { ...(await bare()), credits_allocated: 4, credit_limit: null, metadata: null, team_alias: null };

  expectOk(await create(body));

  expect((await admin.get(`/api/teams/${body.team_id}`)).body).toMatchObject({
    team_alias: null,
    status: 'active',
    budget_mode: 'job_based',
    tokens_per_credit: null,
    credits_per_dollar: null,
    low_balance_policy: 'allow',
    rpm_limit: null,
    tpm_limit: null,
    max_concurrent_calls: null,
    job_key_from: [],
    jobless_calls: 'single',
    metadata: {},
    credits: { credits_allocated: 4, credit_limit: null, auto_refill: false },
  });
});

test('GET /api/teams/create reads the team with the id create, and GET /api/jobs/create is a 405 (spec 1.17)', async () => {
  const { url } = gateway.current;
  const wrong = await sendRequest(url, 'delete', '/api/teams/create');

  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, GET, PUT, HEAD']);
  expect((await sendRequest(url, 'get', '/api/teams/create')).status).toBe(401);
  expect((await sendRequest(url, 'get', '/api/jobs/create')).status).toBe(405);
});
