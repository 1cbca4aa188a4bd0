import { readEvents } from '../support/events.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { litellmForTests } from './litellm.ts';

const failing = 'sim-fail-503-as-primary';
const models = ['sim-tokens-7', 'sim-tools', 'sim-fail-400', 'sim-error-in-stream-2-every-100'];
const litellm = litellmForTests([...models, failing]);
let started: Gateway | undefined;
const gateway = {
  get current() {
    return started!;
  },
};
const given = givenIn(gateway);

beforeAll(async () => {
  const { url, masterKey } = litellm.current;
  started = await startGateway({
    settings: { UPSTREAM_BASE_URL: url, UPSTREAM_MASTER_KEY: masterKey, UPSTREAM_TEAM_KEYS: 'off' },
  });
}, 120_000);
afterAll(() => started?.close());

/** Ten prompt tokens and seven completion tokens, at LiteLLM's prices of one and two dollars a million. */
const costUsd = 0.000024;

test('a job with three calls through LiteLLM, one streamed, has its answers, its costs and its charge', async () => {
  const team = await given.team({ credits: 5, models: ['sim-tokens-7'] });
  const job = await given.job(team);

  const first = expectOk(await as(gateway, team).call(job));
  const streamed = await as(gateway, team).stream(job);
  const third = expectOk(await as(gateway, team).call(job));
  const outcome = expectOk(await as(gateway, team).complete(job));

  expect(first).toMatchObject({ response: { finish_reason: 'stop' }, metadata: { tokens_used: 17 } });
  expect(third.response).toEqual(first.response);
  const events = readEvents(streamed.text);
  expect(events.at(-1)).toBe('[DONE]');
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
  expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(first.response.content);
  expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 });
  expect(outcome.costs).toMatchObject({
    total_calls: 3,
    failed_calls: 0,
    total_tokens: 51,
    total_cost_usd: costUsd * 3,
    credit_applied: true,
    credits_remaining: 4,
  });
});

test('a call whose first model fails in LiteLLM is answered by the next, and its answer names neither', async () => {
  const team = await given.team({ models: [failing, 'sim-tokens-7'] });
  const job = await given.job(team);

  const answers = [await as(gateway, team).call(job), await as(gateway, team).stream(job)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(({ text }) => text).join('')).not.toMatch(/sim-|litellm/i);
  expect(litellm.current.provider.requestsFor({ model: failing })).toHaveLength(2);
});

test('a call with tools through LiteLLM is answered with a tool call', async () => {
  const team = await given.team({ models: ['sim-tools'] });
  const body = {
    team_id: team.teamId,
    job_type: 'weather',
    model: team.modelGroup,
    messages: [{ role: 'user', content: 'How is the weather in Rome?' }],
    tools: [
      {
        type: 'function',
        function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      },
    ],
  };

  const answer = expectOk(await as(gateway, team).post('/api/jobs/create-and-call', body));

  expect(answer).toMatchObject({
    status: 'completed',
    response: { content: '', finish_reason: 'tool_calls', tool_calls: [{ function: { name: 'get_weather' } }] },
    costs: { credit_applied: true },
  });
});

test('the error of a call that LiteLLM refuses contains no text of LiteLLM', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const job = await given.job(team);

  const answer = await as(gateway, team).call(job);

  expect(answer).toMatchObject({ status: 500, body: { detail: expect.stringMatching(/^LLM call failed: /) } });
  expect(answer.text).not.toMatch(/sim-|litellm|OpenAI/i);
});

test('a stream that LiteLLM ends with an error ends with an error of the gateway', async () => {
  const team = await given.team({ models: ['sim-error-in-stream-2-every-100'] });
  const job = await given.job(team);

  const events = readEvents((await as(gateway, team).stream(job)).text);

  expect(events.at(-1)).toBe('[DONE]');
  expect(JSON.parse(events.at(-2)!)).toMatchObject({ error: { message: expect.any(String) } });
  expect(events.join('')).not.toMatch(/sim-|litellm|OpenAI/i);
});
