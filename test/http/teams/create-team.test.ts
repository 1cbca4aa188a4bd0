import { asAdmin } from '../../support/as-admin.ts';
import { ask } from '../../support/ask.ts';
import { forgetAnswers } from '../../support/forget-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { auditOf } from '../models/audit-of.ts';
import { chatStatus } from './chat-status.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const create = (body: object, headers?: Record<string, string>) => admin.post('/api/teams/create', body, headers);
const bare = async () => ({
  organization_id: await given.organization(),
  team_id: unique('team'),
  model_groups: [] as string[],
});
const upstreamOf = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId);
const keysUpstream = (teamId: string) =>
  [...gateway.current.simulator.registry.keys.values()].filter((key) => key.team_id === teamId);

beforeEach(() => gateway.current.simulator.clearScripts());

test('a team begins with its credits, its models and its key', async () => {
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
  expect(await auditOf(gateway.current, body.team_id)).toMatchObject([{ action: 'created_team', user_id: null }]);
});

test('the models of several groups are in the order of groups and priorities, each once', async () => {
  const [first, second] = [await given.modelGroup(['c', 'a']), await given.modelGroup(['a', 'b'])];

  const { body } = await create({ ...(await bare()), model_groups: [second, first] });

  expect(body).toMatchObject({ model_groups: [second, first], allowed_models: ['a', 'b', 'c'] });
});

test('the upstream knows the team by its key, its models and its budget', async () => {
  const team = await given.team({ credits: 5, models: ['sim-ok'], team_alias: 'Review' });

  expect(upstreamOf(team.teamId)).toMatchObject({
    team_alias: 'Review',
    models: ['sim-ok'],
    max_budget: 0.5,
    blocked: false,
  });
  expect(keysUpstream(team.teamId)).toHaveLength(1);
});

test('the older fields name the team, its counterpart upstream and its budget', async () => {
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

test.each(['/team/new', '/key/generate'])('an upstream that refuses %s leaves no half of a team', async (path) => {
  const body = await bare();
  gateway.current.simulator.script(path, 'sim-fail-500', 1);

  const refused = await create(body);

  expect(refused).toMatchObject({ status: 500, body: { detail: 'Upstream registration failed' } });
  expect(upstreamOf(body.team_id)).toBeUndefined();
  expect((await admin.get(`/api/teams/${body.team_id}`)).status).toBe(404);
  expectOk(await create(body));
});

test('an upstream that makes the team and never says so is found out by the same create', async () => {
  const body = await bare();
  gateway.current.simulator.script('/team/new', 'sim-stream-cut-0', 1);
  gateway.current.simulator.script('/team/delete', 'sim-fail-500', 1);

  expect((await create(body)).status).toBe(500);
  expect(upstreamOf(body.team_id)).toBeDefined();

  const { virtual_key } = expectOk(await create(body));
  expect(keysUpstream(body.team_id)).toHaveLength(1);
  expect((await ask(gateway.current.url, 'get', `/api/teams/${body.team_id}`, { key: virtual_key })).status).toBe(200);
});

test('what a failed create left upstream goes before a team of another organization, or of another id upstream, is made', async () => {
  const { simulator } = gateway.current;
  const failing = async (body: object) => {
    simulator.script('/key/generate', 'sim-fail-500', 1);
    simulator.script('/team/delete', 'sim-fail-500', 1);
    expect((await create(body)).status).toBe(500);
  };
  const body = { ...(await bare()), proxy_team_id: unique('proxy') };
  await failing(body);
  expect(upstreamOf(body.proxy_team_id)).toBeDefined();

  const { proxy_team_id, ...rest } = { ...body, organization_id: await given.organization() };
  expectOk(await create(rest));

  expect(upstreamOf(proxy_team_id)).toBeUndefined();
  expect(upstreamOf(body.team_id)?.metadata).toMatchObject({ organization_id: rest.organization_id });
});

test('the id upstream of a team that could not be made is free for another at once', async () => {
  const body = { ...(await bare()), proxy_team_id: unique('proxy') };
  gateway.current.simulator.script('/team/new', 'sim-fail-500', 1);
  expect((await create(body)).status).toBe(500);

  expectOk(await create({ ...body, team_id: unique('team') }));
});

test('what is left stays known while the upstream does not take it back', async () => {
  const body = await bare();
  const { simulator } = gateway.current;
  simulator.script('/key/generate', 'sim-fail-500', 1);
  simulator.script('/team/delete', 'sim-fail-500', 2);
  expect((await create(body)).status).toBe(500);

  const another = { ...body, organization_id: await given.organization() };
  expect(await create(another)).toMatchObject({ status: 500, body: { detail: 'Upstream registration failed' } });

  expectOk(await create(another));
});

test('fifty at once make one team, and one upstream', async () => {
  const body = { ...(await bare()), credits_allocated: 7 };

  const answers = await Promise.all(Array.from({ length: 50 }, () => create(body)));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)]);
  expect(keysUpstream(body.team_id)).toHaveLength(1);
  const { body: ledger } = await admin.get(`/api/teams/${body.team_id}/credits/transactions`);
  expect(ledger.transactions).toHaveLength(1);
});

test('a request that died before its answer finds the team and the key that it made', async () => {
  const body = { ...(await bare()), credits_allocated: 3 };
  const key = unique('key');
  const first = expectOk(await create(body, { 'idempotency-key': key }));
  await forgetAnswers(gateway.current);

  expect(expectOk(await create(body, { 'idempotency-key': key }))).toEqual(first);

  expect((await create(body, { 'idempotency-key': unique('key') })).status).toBe(400);
  expect(await auditOf(gateway.current, body.team_id)).toHaveLength(1);
});

test('a request that is carried out twice at the same moment makes one team with one key', async () => {
  const body = await bare();
  const headers = { 'idempotency-key': unique('key') };
  gateway.current.simulator.script('/team/new', 'sim-slow-400', 1);
  const first = create(body, headers);
  // The first one is waiting for the upstream; its lock on the key runs out, as if its process were frozen.
  const { pool } = gateway.current.deps.database;
  const claimed = () => pool.query('select from team_registrations where team_id = $1', [body.team_id]);
  await until(claimed, ({ rowCount }) => rowCount === 1);
  await pool.query(`update idempotency_keys set locked_until = now() - interval '1 s' where status is null`);
  const second = create(body, headers);

  const answers = [expectOk(await first), expectOk(await second)];

  expect(answers[0]).toEqual(answers[1]);
  const served = await chatStatus(gateway.current, answers[0].virtual_key);
  // No models, but a key that the upstream knows.
  expect([served, keysUpstream(body.team_id).length]).toEqual([403, 1]);
});

test.each([
  ['an organization that is not there', { organization_id: 'unheard-of' }],
  ['a model group that is not there', { model_groups: ['unheard-of'] }],
  ['an access group that is not there', { access_groups: ['unheard-of'] }],
])('%s is 404, and nothing is made', async (_, wrong) => {
  const body = { ...(await bare()), ...wrong };

  expect((await create(body)).status).toBe(404);

  expect((await admin.get(`/api/teams/${body.team_id}`)).status).toBe(404);
  expect(upstreamOf(body.team_id)).toBeUndefined();
});

test('a group that is not there is said before an organization that is suspended', async () => {
  const body = await bare();
  expectOk(await admin.put(`/api/organizations/${body.organization_id}`, { status: 'suspended' }));

  expect((await create({ ...body, model_groups: ['unheard-of'] })).status).toBe(404);
  expect((await create({ ...body, access_groups: ['unheard-of'] })).status).toBe(404);
  expect((await create(body)).status).toBe(400);
});

test('what is not set has its default, and null is unlimited', async () => {
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
    metadata: {},
    credits: { credits_allocated: 4, credit_limit: null, auto_refill: false },
  });
});

test.each([
  ['credits_allocated', -1, 'greater_than_equal'],
  ['credits_allocated', 1.5, 'int_type'],
  ['credits_allocated', '10', 'int_type'],
  ['credits_allocated', true, 'int_type'],
  ['credits_allocated', 2_147_483_648, 'less_than_equal'],
  ['credit_limit', -1, 'greater_than_equal'],
  ['model_groups', 'a', 'list_type'],
  ['model_groups', null, 'list_type'],
  ['model_groups', [1], 'string_type'],
  ['team_id', '', 'string_too_short'],
  ['team_id', 'x'.repeat(256), 'string_too_long'],
  ['team_id', 'a\u0000', 'value_error'],
  ['team_alias', 1, 'string_type'],
  ['budget_mode', 'free', 'literal_error'],
  ['tokens_per_credit', 0, 'greater_than'],
  ['credits_per_dollar', 0, 'greater_than'],
  ['auto_refill', 'yes', 'bool_type'],
  ['auto_refill', true, 'missing'],
  ['refill_period', 'hourly', 'literal_error'],
  ['low_balance_policy', 'maybe', 'literal_error'],
  ['rpm_limit', 0, 'greater_than'],
  ['max_budget', -0.01, 'greater_than_equal'],
  ['metadata', [], 'dict_type'],
])('%s %j is refused with %s', async (field, value, type) => {
  const body = { ...(await bare()), [field]: value };

  const refused = await create(body);

  expect(refused.status).toBe(422);
  expect(refused.body.detail[0]).toMatchObject({ type });
  expect((await admin.get(`/api/organizations/${body.organization_id}/teams`)).body.team_count).toBe(0);
});

test.each([
  ['1e400', 'credits_allocated'],
  ['9007199254740993', 'credits_allocated'],
  ['NaN', 'credits_allocated'],
  ['1e-400', 'credits_per_dollar'],
])('a number that cannot be held (%s) is refused', async (number, field) => {
  const { organization_id } = await bare();
  const raw = `{"organization_id":"${organization_id}","team_id":"t","model_groups":[],"${field}":${number}}`;
  const { url, masterKey } = gateway.current;

  const refused = await ask(url, 'post', '/api/teams/create', {
    key: masterKey,
    raw,
    headers: { 'content-type': 'application/json' },
  });

  expect(refused.status).toBe(422);
});

test.each(['__proto__', 'constructor', 'create', 'a/b', '🚀', ' spaced ', ' ', '\u3000', 'x'.repeat(255)])(
  'the id %j is plain text',
  async (id) => {
    const body = { ...(await bare()), team_id: id };

    expectOk(await create(body));

    const path = `/api/teams/${encodeURIComponent(id)}`;
    expect((await admin.get(path)).body.team_id).toBe(id);
    expect((await admin.get(`/api/organizations/${body.organization_id}/teams`)).body.teams).toEqual([id]);
  },
);

test('the path that creates teams is that of a team too; no job can be called so', async () => {
  const { url } = gateway.current;
  const wrong = await ask(url, 'delete', '/api/teams/create');

  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, GET, PUT, HEAD']);
  expect((await ask(url, 'get', '/api/teams/create')).status).toBe(401);
  expect((await ask(url, 'get', '/api/jobs/create')).status).toBe(405);
});
