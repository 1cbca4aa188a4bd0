import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

type Options = ConstructorParameters<typeof Anthropic>[0];

/** The client as anybody configures it: another base URL and key. */
const clientOf = (team: GivenTeam, options: Options = {}) =>
  new Anthropic({ apiKey: team.key, baseURL: gateway.current.url, ...options });

const hello = [{ role: 'user' as const, content: 'Tell me about rivers' }];
const jobsOf = async (team: GivenTeam) => expectOk(await as(gateway, team).get('/api/jobs')).jobs;

test('the client of Anthropic creates and streams the same message, counts its tokens and lists models (spec 28.7, spec 28.13, spec 28.15)', async () => {
  const team = await given.team({ models: ['sim-reasoning-content-tokens-7'] });
  const client = clientOf(team);
  const request = { model: team.modelGroup, max_tokens: 100, messages: hello };

  const message = await client.messages.create(request);
  const stream = client.messages.stream(request);
  const texts: string[] = [];
  stream.on('text', (text) => texts.push(text));
  const streamed = await stream.finalMessage();
  const { input_tokens } = await client.messages.countTokens({ model: team.modelGroup, messages: hello });
  const { data } = await client.models.list();

  expect(streamed.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  expect(message.content.at(-1)).toEqual(streamed.content.at(-1));
  expect(texts.join('')).toBe((streamed.content[1] as { text: string }).text);
  expect(streamed.usage).toEqual(message.usage);
  expect(message._request_id).toMatch(/\w/);
  expect(input_tokens).toBeGreaterThan(5);
  expect(data.map(({ id }) => id)).toEqual([team.modelGroup]);
  expect((await jobsOf(team)).map((job: { status: string }) => job.status)).toEqual(['completed', 'completed']);
});

test('the client of Anthropic reads an answer of a schema (spec 28.4)', async () => {
  const team = await given.team();
  const schema = z.object({ river: z.string(), length: z.number() });

  const { parsed_output } = await clientOf(team).messages.parse({
    model: team.modelGroup,
    max_tokens: 100,
    messages: hello,
    output_config: { format: zodOutputFormat(schema) },
  });

  expect(schema.safeParse(parsed_output).success).toBe(true);
});

test('the client of Anthropic has the errors of its own classes, and repeats none that is final (spec 28.12)', async () => {
  const team = await given.team();
  let requests = 0;
  const counting: Options = {
    fetch(url, init) {
      requests += 1;
      return fetch(url, init);
    },
  };
  const create = (options: Options = {}, fields = {}) =>
    clientOf(team, { ...counting, ...options }).messages.create({
      model: team.modelGroup,
      max_tokens: 9,
      messages: hello,
      ...fields,
    });

  await expect(create({ apiKey: 'sk-wrong' })).rejects.toThrow(Anthropic.AuthenticationError);
  await expect(create({}, { model: 'unknown' })).rejects.toThrow(Anthropic.NotFoundError);
  await expect(create({}, { temperature: 'hot' })).rejects.toThrow(Anthropic.BadRequestError);
  expect(requests).toBe(3);
});
