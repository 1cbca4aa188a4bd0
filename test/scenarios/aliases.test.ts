import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** A team, and an alias that it reaches through an access group. */
async function givenAlias(fields: Record<string, unknown> = {}) {
  const group_name = await given.accessGroup();
  const alias_name = await given.alias({ access_groups: [group_name], ...fields });
  return { alias_name, group_name, team: await given.team({ access_groups: [group_name] }) };
}

test('a call with an alias as its model group is recorded as a direct model request (spec 4.1, spec 4.16)', async () => {
  const { alias_name, team } = await givenAlias();
  const job = await given.job(team);

  const call = expectOk(await as(gateway, team).call(job, { model_group: alias_name }));
  const costs = await given.admin('get', `/api/jobs/${job}/costs`);

  expect(call.metadata.model_group).toBe(alias_name);
  expect(costs.breakdown).toMatchObject([{ model_group: null, resolved_model: 'sim-ok', error: null }]);
});

test('a call of an alias tries its fallbacks in order and has the price of the alias (spec 7.9)', async () => {
  const { alias_name, team } = await givenAlias({
    model_name: 'sim-fail-503',
    fallbacks: ['sim-fail-429', 'sim-tokens-10-no-cost'],
    input_price_per_million: 0,
    output_price_per_million: 1_000_000,
  });
  const job = await given.job(team);

  expectOk(await as(gateway, team).call(job, { model_group: alias_name }));

  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown[0].attempts.map((attempt: { model: string }) => attempt.model)).toEqual([
    'sim-fail-503',
    'sim-fail-429',
    'sim-tokens-10-no-cost',
  ]);
  expect(breakdown[0]).toMatchObject({ completion_tokens: 10, cost_usd: 10 });
});

test('a single-call job of an alias succeeds only while team and alias share an active access group and the alias is active (spec 7.5, spec 7.10)', async () => {
  const { alias_name, group_name, team } = await givenAlias();
  const send = () => as(gateway, team).single({ model: alias_name });

  expect(expectOk(await send())).toMatchObject({ status: 'completed', metadata: { model: alias_name } });
  await given.admin('put', `/api/model-access-groups/${group_name}`, { status: 'inactive' });
  const denied = await send();
  await given.admin('put', `/api/model-access-groups/${group_name}`, { status: 'active' });
  await given.admin('put', `/api/model-aliases/${alias_name}`, { status: 'inactive' });
  const inactive = await send();

  expect(denied).toMatchObject({
    status: 403,
    body: { detail: `Team '${team.teamId}' does not have access to model group '${alias_name}'` },
  });
  expect(inactive).toMatchObject({
    status: 403,
    body: { detail: `Model group '${alias_name}' not found or inactive` },
  });
});

test('a change of the members of a model group applies to the next call, in the upstream too (spec 7.11)', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));

  await given.admin('put', `/api/model-groups/${team.modelGroup}`, { models: [{ model_name: 'sim-tokens-5' }] });
  expectOk(await as(gateway, team).call(job));

  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown.map((call: { resolved_model: string }) => call.resolved_model)).toEqual(['sim-ok', 'sim-tokens-5']);
});
