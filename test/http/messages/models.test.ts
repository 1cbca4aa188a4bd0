import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const get = (team: GivenTeam, path: string, headers: Record<string, string> = { 'anthropic-version': '2023-06-01' }) =>
  sendRequest(gateway.current.url, 'get', path, { headers: { 'x-api-key': team.key, ...headers } });

test('models are in the form of Anthropic for a request with anthropic-version, and else in that of OpenAI (spec 28.15)', async () => {
  const team = await given.team();
  const openAi = expectOk(await as(gateway, team).get('/v1/models'));

  const answer = await get(team, '/v1/models');

  const [{ id, created }] = openAi.data;
  const model = { type: 'model', id, display_name: id, created_at: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(expectOk(answer)).toEqual({ data: [model], has_more: false, first_id: id, last_id: id });
  expect(Math.floor(Date.parse(answer.body.data[0].created_at) / 1_000)).toBe(created);
  expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'));
  expect(expectOk(await get(team, `/v1/models/${id}`))).toEqual(model);
  expect(expectOk(await get(team, `/v1/models/${id}`, {}))).toMatchObject({ object: 'model', id });
});

test('models in the form of Anthropic come in pages of their names in order, in both directions (spec 28.15)', async () => {
  const prefix = unique('m');
  const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${prefix}-${letter}`);
  for (const name of names) await given.modelGroup(['sim-ok'], name);
  const team = await given.team({ model_groups: names });
  const page = async (query: string) => {
    const { data, has_more, first_id, last_id } = expectOk(await get(team, `/v1/models?${query}`));
    const shown = data.map(({ id }: { id: string }) => id.slice(prefix.length + 1)).join('');
    expect([first_id, last_id]).toEqual([data[0]?.id ?? null, data.at(-1)?.id ?? null]);
    return [shown, has_more];
  };

  expect(await page('limit=2')).toEqual(['ab', true]);
  expect(await page(`limit=2&after_id=${prefix}-b`)).toEqual(['cd', true]);
  expect(await page(`limit=2&after_id=${prefix}-c`)).toEqual(['de', false]);
  expect(await page(`after_id=${prefix}-e`)).toEqual(['', false]);
  expect(await page(`limit=2&before_id=${prefix}-d`)).toEqual(['bc', true]);
  expect(await page('limit=1000')).toEqual(['abcde', false]);
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after_id=nothing'])
    expect((await get(team, `/v1/models?${query}`)).body.error.type).toBe('invalid_request_error');
});

test.each<Record<string, string>>([{}, { 'anthropic-version': 'any' }])(
  'a wrong method on models lists each method once, in the form that the header %j asks for (spec 28.12, spec 28.15)',
  async (headers) => {
    const {
      status,
      body,
      headers: answered,
    } = await sendRequest(gateway.current.url, 'delete', '/v1/models', { headers });

    expect([status, answered.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(body.type).toBe('anthropic-version' in headers ? 'error' : undefined);
  },
);
