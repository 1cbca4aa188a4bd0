import { gatewayForTests } from '../../support/gateway.ts';
import { as, type GivenTeam, givenIn, hello } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
beforeAll(async () => {
  team = await given.team();
});

const schema =
  '{"type":"object","properties":{"2026":{"type":"string"},"10":{"minimum":1.0,"maximum":1e2},"a":{"const":12345678901234567890}}}';
const tool = `{"type":"function","function":{"name":"f","parameters":${schema}}}`;
const format = `{"type":"json_schema","json_schema":{"name":"n","schema":${schema}}}`;
const messages = JSON.stringify(hello);

const post = (path: string, raw: string): Promise<Answer> =>
  sendRequest(gateway.current.url, 'post', path, {
    key: team.key,
    raw,
    headers: { 'content-type': 'application/json' },
  });

/** What goes upstream is the stored request: its text is joined with the name of the model, and not read again. */
async function stored(answer: Answer): Promise<string> {
  expect(answer.status).toBe(200);
  const { rows } = await gateway.current.deps.database.pool.query(
    'select request, options from call_payloads where call_id = $1',
    [answer.headers.get('x-call-id')],
  );
  return rows[0].request + (rows[0].options ?? '');
}

test('schemas and numbers of a chat completion go upstream in the order and the spelling in which they were sent (spec 17.8, spec 17.12)', async () => {
  const answer = await post(
    '/v1/chat/completions',
    `{"model": "${team.modelGroup}", "messages": ${messages}, "tools": [${tool}], "response_format": ${format},
      "temperature": 1.0, "logit_bias": {"50256": -0, "11": 5e0}, "chat_options": {"2": 1.0, "1": 2}}`,
  );

  expect(await stored(answer)).toBe(
    `{"messages":${messages},"temperature":1.0,"logit_bias":{"50256":-0,"11":5e0},"response_format":${format},"tools":[${tool}]}` +
      `{"parts":"all","extra":{"chat_options":{"2":1.0,"1":2}}}`,
  );
});

test('schemas and numbers of a single-call job go upstream in the order and the spelling in which they were sent (spec 4.15)', async () => {
  const answer = await post(
    '/api/jobs/create-and-call',
    `{"team_id": "${team.teamId}", "job_type": "report", "model": "${team.modelGroup}", "messages": ${messages},
      "tools": [${tool.replace('{"name"', '{"unknown": 1, "description": null, "name"')}],
      "response_format": ${format}, "temperature": 1.0, "top_p": null, "max_tokens": 5e1}`,
  );

  expect(await stored(answer)).toBe(
    `{"messages":${messages},"temperature":1.0,"max_tokens":5e1,"response_format":${format},"tools":[${tool}]}`,
  );
});

test('a temperature that is null is the default, also in a request that goes on as it was written (spec 4.11)', async () => {
  const job = await given.job(team);

  const answer = await post(
    `/api/jobs/${job}/llm-call`,
    `{"model_group": "${team.modelGroup}", "messages": ${messages}, "temperature": null, "max_tokens": 1e1}`,
  );

  expect(await stored(answer)).toBe(`{"messages":${messages},"temperature":0.7,"max_tokens":1e1}`);
});

const empty = { tools: [], tool_choice: 'auto', parallel_tool_calls: true, stop: [], response_format: null };

test.each([
  ['an empty list of tools', empty],
  ['a choice among tools without any', { tool_choice: 'none' }],
  ['tools that are null', { tools: null, tool_choice: 'auto' }],
  ['an empty list of stops', { stop: [] }],
])('%s is not sent upstream, under either surface (spec 4.15, spec 17.12)', async (_, fields) => {
  const single = await as(gateway, team).single({ ...fields });
  const chat = await as(gateway, team).post('/v1/chat/completions', {
    model: team.modelGroup,
    messages: hello,
    functions: [],
    function_call: 'auto',
    ...fields,
  });

  expect(await stored(single)).toBe(`{"messages":${messages},"temperature":0.7}`);
  expect(await stored(chat)).toBe(`{"messages":${messages}}{"parts":"all"}`);
});

test('an empty list of tool calls of a message is not sent upstream (spec 17.12)', async () => {
  const said = { role: 'assistant', content: 'Yes', tool_calls: [], name: 'a' };

  const answer = await as(gateway, team).post('/v1/chat/completions', {
    model: team.modelGroup,
    messages: [...hello, said, ...hello],
  });

  const { tool_calls, ...rest } = said;
  expect(await stored(answer)).toBe(`{"messages":${JSON.stringify([...hello, rest, ...hello])}}{"parts":"all"}`);
});
