import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { hello } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

type Options = ConstructorParameters<typeof OpenAI>[0];

/** The client as anybody configures it: another base URL and key. */
const clientOf = (team: GivenTeam, options: Options = {}) =>
  new OpenAI({ apiKey: team.key, baseURL: `${gateway.current.url}/v1`, ...options });

const messages = hello as [{ role: 'user'; content: string }];
const jobsOf = async (team: GivenTeam) => expectOk(await as(gateway, team).get('/api/jobs')).jobs;

test('create and stream have the same text, and each call is a job', async () => {
  const team = await given.team({ models: ['sim-tokens-7'] });
  const client = clientOf(team);

  const completion = await client.chat.completions.create({ model: team.modelGroup, messages });
  const stream = await client.chat.completions.create({ model: team.modelGroup, messages, stream: true });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';

  expect(text).toBe(completion.choices[0]!.message.content);
  expect((await jobsOf(team)).map((job: { status: string }) => job.status)).toEqual(['completed', 'completed']);
});

test('.stream() puts the message together, with its usage', async () => {
  const team = await given.team({ models: ['sim-tokens-7-prompt-tokens-11'] });

  const stream = clientOf(team).chat.completions.stream({
    model: team.modelGroup,
    messages,
    stream_options: { include_usage: true },
  });

  expect(await stream.finalContent()).toMatch(/\w/);
  expect(await stream.totalUsage()).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
});

test('runTools calls the function that the model requests, in one job that a header names', async () => {
  const team = await given.team({ models: [`sim-tools-once-then-ok-as-${unique('agent')}`] });
  const job = await given.job(team);
  const client = clientOf(team, { defaultHeaders: { 'X-Job-Id': job } });
  const cities: string[] = [];
  const tool = {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      parse: JSON.parse,
      function: ({ city }: { city: string }) => {
        cities.push(city);
        return 'rain';
      },
    },
  };

  const runner = client.chat.completions.runTools({ model: team.modelGroup, messages, tools: [tool], stream: true });

  expect(await runner.finalContent()).toMatch(/\w/);
  expect(cities).toEqual([expect.any(String)]);
  const completed = expectOk(await as(gateway, team).complete(job));
  expect(completed.costs).toMatchObject({ total_calls: 2, failed_calls: 0, credit_applied: true });
});

test('parse returns the object of a schema', async () => {
  const team = await given.team();
  const Answer = z.object({ river: z.string(), length: z.number() });

  const completion = await clientOf(team).chat.completions.parse({
    model: team.modelGroup,
    messages,
    response_format: zodResponseFormat(Answer, 'answer'),
  });

  expect(completion.choices[0]!.message.parsed).toEqual({ river: expect.any(String), length: expect.any(Number) });
});

test('a client that aborts a stream stops reading, and the call is recorded to its end', async () => {
  const team = await given.team({ models: ['sim-tokens-20-every-50'] });
  const stream = await clientOf(team).chat.completions.create({ model: team.modelGroup, messages, stream: true });

  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) stream.controller.abort();

  await until(async () => (await jobsOf(team))[0].status === 'completed');
  const [{ job_id }] = await jobsOf(team);
  const { breakdown } = expectOk(await as(gateway, team).get(`/api/jobs/${job_id}/costs`));
  expect(breakdown).toMatchObject([{ completion_tokens: 20, error: null }]);
});

test('a client over the limit of its team waits for the time in the header and then gets its answer', async () => {
  const team = await given.team({ rpm_limit: 1 });
  const waits: number[] = [];
  const client = clientOf(team, {
    async fetch(url, init) {
      const response = await fetch(url, init);
      const wait = response.headers.get('retry-after-ms');
      if (wait === null) return response;
      // The minute is over for the test: the limit is lifted, and the client is told to wait for a moment only.
      waits.push(Number(wait));
      await given.admin('put', `/api/teams/${team.teamId}`, { rpm_limit: 1_000 });
      const headers = new Headers(response.headers);
      headers.set('retry-after-ms', '10');
      return new Response(await response.text(), { status: response.status, headers });
    },
  });
  await client.chat.completions.create({ model: team.modelGroup, messages });

  const completion = await client.chat.completions.create({ model: team.modelGroup, messages });

  expect(completion.choices[0]!.message.content).toMatch(/\w/);
  expect(waits).toEqual([expect.any(Number)]);
  expect(waits[0]).toBeGreaterThan(0);
});

test('when all models fail the client makes three requests: three failed jobs without a credit', async () => {
  const model = `sim-fail-503-as-${unique('down')}`;
  const team = await given.team({ models: [model], credits: 5 });

  const failing = clientOf(team).chat.completions.create({ model: team.modelGroup, messages });

  await expect(failing).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
  expect((await jobsOf(team)).map((job: { status: string }) => job.status)).toEqual(['failed', 'failed', 'failed']);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
});

test('an error after the first tokens of a stream is thrown', async () => {
  const team = await given.team({ models: ['sim-error-in-stream-2'] });
  const stream = await clientOf(team).chat.completions.create({ model: team.modelGroup, messages, stream: true });

  const reading = (async () => {
    for await (const _ of stream);
  })();

  await expect(reading).rejects.toMatchObject({ code: 'upstream_error', type: 'server_error' });
});

test('errors are those of the client, and it repeats none that cannot succeed', async () => {
  const team = await given.team({ models: ['sim-overflow-code'] });
  const empty = await given.team({ credits: 0, low_balance_policy: 'block' });
  const misconfigured = await given.team({ models: ['sim-fail-401'] });
  let requests = 0;
  const counting: Options = {
    fetch(url, init) {
      requests += 1;
      return fetch(url, init);
    },
  };
  const create = (one: GivenTeam, options: Options = {}, fields = {}) =>
    clientOf(one, { ...counting, ...options }).chat.completions.create({ model: one.modelGroup, messages, ...fields });

  await expect(create(team)).rejects.toThrow(OpenAI.BadRequestError);
  await expect(create(team)).rejects.toMatchObject({ code: 'context_length_exceeded' });
  await expect(create(team, { apiKey: 'sk-wrong' })).rejects.toThrow(OpenAI.AuthenticationError);
  await expect(create(team, {}, { model: 'unknown' })).rejects.toThrow(OpenAI.NotFoundError);
  await expect(create(team, {}, { n: 2 })).rejects.toMatchObject({ code: 'unsupported_value', param: 'n' });
  await expect(create(empty)).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
  await expect(create(misconfigured)).rejects.toMatchObject({ status: 500, code: 'upstream_misconfigured' });

  expect(requests).toBe(7);
});

test('with an Idempotency-Key the retry of the client after a cut connection is a replay, and costs one credit', async () => {
  const model = `sim-ok-as-${unique('cut')}`;
  const team = await given.team({ models: [model], credits: 5 });
  let attempts = 0;
  const client = clientOf(team, {
    async fetch(url, init) {
      attempts += 1;
      const response = await fetch(url, init);
      if (attempts > 1) return response;
      await response.arrayBuffer();
      throw new TypeError('the connection was cut');
    },
  });

  const { data, response } = await client.chat.completions
    .create({ model: team.modelGroup, messages }, { headers: { 'Idempotency-Key': unique('key') } })
    .withResponse();

  expect(data.choices[0]!.message.content).toMatch(/\w/);
  expect([attempts, response.headers.get('idempotent-replayed')]).toEqual([2, 'true']);
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});

test('the models are listed and read', async () => {
  const team = await given.team();
  const client = clientOf(team);

  const ids = [];
  for await (const { id } of client.models.list()) ids.push(id);

  expect(ids).toEqual([team.modelGroup]);
  expect(await client.models.retrieve(team.modelGroup)).toMatchObject({ id: team.modelGroup, object: 'model' });
});
