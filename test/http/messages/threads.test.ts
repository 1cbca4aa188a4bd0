import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { z } from 'zod';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { joinEvents, messagesWith, readNamedEvents } from './messages.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const weather = { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } };
const create = { thread: { type: 'create' } };
const after = (previous_message_id: string) => ({ thread: { type: 'continue', previous_message_id } });
const says = (content: unknown) => ({ messages: [{ role: 'user', content }] });

test("the tool runner of Anthropic's client makes two calls, the second with the whole history (spec 28.16)", async () => {
  const model = `sim-strict-reasoning-content-tools-once-then-ok-as-${unique('thread')}`;
  const team = await given.team({ models: [model] });
  const client = new Anthropic({ apiKey: team.key, baseURL: gateway.current.url });
  const cities: string[] = [];
  const tool = betaZodTool({
    name: 'weather',
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    run: ({ city }) => {
      cities.push(city);
      return '20 degrees';
    },
  });

  const final = await client.beta.messages.toolRunner({
    model: team.modelGroup,
    max_tokens: 100,
    system: 'You help.',
    messages: [{ role: 'user', content: 'How is it in Paris?' }],
    tools: [tool],
  });

  expect(cities).toHaveLength(1);
  expect(final.stop_reason).toBe('end_turn');
  const sent = gateway.current.simulator.requestsFor({ model }).map(({ body }) => body as Json);
  expect(sent).toHaveLength(2);
  expect(sent[1].messages.map(({ role }: Json) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(sent[1].messages.slice(0, 2)).toEqual(sent[0].messages);
  expect(sent[1].messages[2].reasoning_content).toMatch(/^Let me think/);
  expect(sent[1].messages[3].content).toBe('20 degrees');
  expect(sent[1].tools).toEqual(sent[0].tools);
});

test('a message is continued by what was streamed, more than once, and the next one too (spec 28.16)', async () => {
  const model = `sim-ok-as-${unique('thread')}`;
  const team = await given.team({ models: [model] });
  const messages = messagesWith(gateway, team);
  const textsSent = () =>
    (gateway.current.simulator.requestsFor({ model }).at(-1)!.body as Json).messages.map(
      ({ content }: Json) => content,
    );

  const first = joinEvents(
    readNamedEvents((await messages({ ...create, ...says('a'), system: 'S', stream: true })).text),
  );
  const second = expectOk(await messages({ ...after(first.id), ...says('b') }));
  expect(textsSent()).toEqual(['S', 'a', first.content[0].text, 'b']);
  expectOk(await messages({ ...after(first.id), ...says('c') }));
  expect(textsSent()).toEqual(['S', 'a', first.content[0].text, 'c']);
  expectOk(await messages({ ...after(second.id), ...says('d') }));
  expect(textsSent()).toEqual(['S', 'a', first.content[0].text, 'b', second.content[0].text, 'd']);
  const counted = messagesWith(gateway, team, '/v1/messages/count_tokens');
  const { input_tokens } = expectOk(await counted({ ...after(second.id), ...says('d') }));
  expect(input_tokens).toBeGreaterThan(expectOk(await counted(says('d'))).input_tokens + 10);
});

test('a message that is not of a thread, failed, deleted, another team’s or none cannot be continued (spec 28.16)', async () => {
  const [team, other] = [await given.team({ models: ['sim-fail-500-times-9-then-ok'] }), await given.team()];
  const messages = messagesWith(gateway, other);
  const made = async (fields: object) => {
    const answer = await messages({ ...fields, ...says('a') });
    return { id: expectOk(answer).id as string, jobId: answer.headers.get('x-job-id')! };
  };
  const deleted = await made(create);
  expectOk(await as(gateway, other).delete(`/api/jobs/${deleted.jobId}/payloads`));
  const failed = await messagesWith(gateway, team)({ ...create, ...says('a') });
  const failedId = `msg_${failed.headers.get('x-call-id')!.replaceAll('-', '')}`;
  const ids: [typeof messages, string][] = [
    [messages, (await made({})).id],
    [messages, deleted.id],
    [messages, 'msg_1'],
    [messages, `msg_${'0'.repeat(32)}`],
    [messagesWith(gateway, team), failedId],
    [messagesWith(gateway, team), (await made(create)).id],
  ];

  for (const [send, id] of ids) {
    const answer = await send({ ...after(id), ...says('b') });
    expect([id, answer.status, answer.body.error.type, answer.body.error.details.error_code]).toEqual([
      id,
      404,
      'not_found_error',
      'thread_not_found',
    ]);
  }
});

test.each([{ system: 'S' }, { tools: [weather] }, { tools: [] }])(
  'a message that continues a thread is refused with %j, which the thread has (spec 28.16)',
  async (fields) => {
    const team = await given.team();
    const messages = messagesWith(gateway, team);
    const { id } = expectOk(await messages({ ...create, ...says('a') }));

    const answer = await messages({ ...after(id), ...says('b'), ...fields });

    expect([answer.status, answer.body.error.details.error_code]).toEqual([400, 'thread_field_not_allowed']);
  },
);

test('a thread that is no thread is refused with its place (spec 28.16)', async () => {
  const team = await given.team();

  for (const thread of [{ type: 'fork' }, { type: 'continue' }, 'create'])
    expect((await messagesWith(gateway, team)({ thread })).body.error.message).toContain('thread');
});

test('a message that continues one of an open job belongs to that job (spec 27.6, spec 28.16)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const messages = messagesWith(gateway, team);
  const { id } = expectOk(await messages({ ...create, ...says('a') }, { 'x-job-id': job }));

  const answer = await messages({ ...after(id), ...says('b') });

  expect(answer.headers.get('x-job-id')).toBe(job);
});
