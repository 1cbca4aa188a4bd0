import { expectOk } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { creatingTeams } from './creating-teams.ts';

const { gateway, admin, create, bare } = creatingTeams();

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
])('a team with %s %j is refused with %s', async (field, value, type) => {
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
])('a team with a number that cannot be stored (%s) is refused', async (number, field) => {
  const { organization_id } = await bare();
  const raw = `{"organization_id":"${organization_id}","team_id":"t","model_groups":[],"${field}":${number}}`;
  const { url, masterKey } = gateway.current;

  const refused = await sendRequest(url, 'post', '/api/teams/create', {
    key: masterKey,
    raw,
    headers: { 'content-type': 'application/json' },
  });

  expect(refused.status).toBe(422);
});

test.each(['__proto__', 'constructor', 'create', 'a/b', '🚀', ' spaced ', ' ', '\u3000', 'x'.repeat(255)])(
  'a team can have the id %j (spec 1.6)',
  async (id) => {
    const body = { ...(await bare()), team_id: id };

    expectOk(await create(body));

    const path = `/api/teams/${encodeURIComponent(id)}`;
    expect((await admin.get(path)).body.team_id).toBe(id);
    expect((await admin.get(`/api/organizations/${body.organization_id}/teams`)).body.teams).toEqual([id]);
  },
);
