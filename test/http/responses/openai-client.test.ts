import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const clientOf = (team: GivenTeam) =>
  new OpenAI({ apiKey: team.key, baseURL: `${gateway.current.url}/v1`, maxRetries: 0 });

test('create, stream and .stream() of the client have the same text (spec 29.13)', async () => {
  const team = await given.team({ models: ['sim-reasoning-content-tokens-7'] });
  const { responses } = clientOf(team);
  const request = { model: team.modelGroup, input: 'Tell me about rivers' };

  const { output_text } = await responses.create(request);
  let streamed = '';
  for await (const event of await responses.create({ ...request, stream: true }))
    if (event.type === 'response.output_text.delta') streamed += event.delta;
  const final = await responses.stream(request).finalResponse();

  expect([streamed, final.output_text]).toEqual([output_text, output_text]);
});

test('.stream() puts calls of several tools together (spec 29.14)', async () => {
  const team = await given.team({ models: ['sim-two-tools'] });
  const weather = { type: 'function' as const, name: 'get_weather', strict: false, parameters: { type: 'object' } };

  const { output } = await clientOf(team)
    .responses.stream({ model: team.modelGroup, input: 'x', tools: [weather] })
    .finalResponse();

  expect(output.map(({ type }) => type)).toEqual(['function_call', 'function_call']);
});

test('parse returns the object of a schema (spec 29.5)', async () => {
  const team = await given.team();
  const format = zodTextFormat(z.object({ river: z.string(), length: z.number() }), 'answer');

  const { output_parsed } = await clientOf(team).responses.parse({
    model: team.modelGroup,
    input: 'x',
    text: { format },
  });

  expect(output_parsed).toEqual({ river: expect.any(String), length: expect.any(Number) });
});

test('a response in the background is gone on with where its stream was left (spec 29.17, spec 29.18)', async () => {
  const team = await given.team({ models: ['sim-tokens-30-every-10'] });
  const { responses } = clientOf(team);
  const numbers: number[] = [];
  let id = '';
  for await (const event of await responses.create({
    model: team.modelGroup,
    input: 'x',
    background: true,
    stream: true,
  })) {
    if (event.type === 'response.created') id = event.response.id;
    numbers.push(event.sequence_number);
    if (numbers.length === 8) break;
  }
  for await (const event of await responses.retrieve(id, { stream: true, starting_after: numbers.at(-1)! }))
    numbers.push(event.sequence_number);

  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect((await responses.retrieve(id)).status).toBe('completed');
});

test('a failure after the first tokens throws, however the stream is read (spec 29.16)', async () => {
  const team = await given.team({ models: ['sim-error-in-stream-2'] });
  const { responses } = clientOf(team);
  const request = { model: team.modelGroup, input: 'x' };
  const iterate = async () => {
    for await (const _ of await responses.create({ ...request, stream: true }));
  };

  await expect(iterate()).rejects.toThrow(/failed/);
  await expect(responses.stream(request).finalResponse()).rejects.toThrow(/failed/);
});
