import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { hello, joinEvents, messagesWith, readNamedEvents } from './messages.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const jobOf = async (team: GivenTeam, answer: { headers: Headers }) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`));

const weather = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

test('a message without a job is a completed job of the type messages, and costs one credit (spec 28.1, spec 28.7)', async () => {
  const team = await given.team({ models: ['sim-tokens-7-prompt-tokens-11'] });

  const answer = await messagesWith(gateway, team)({ metadata: { user_id: 'u-1', session: 's' } });

  expect(expectOk(answer)).toEqual({
    id: `msg_${answer.headers.get('x-call-id')!.replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: team.modelGroup,
    content: [{ type: 'text', text: expect.stringMatching(/\w/) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 11, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 },
  });
  expect(await jobOf(team, answer)).toMatchObject({
    status: 'completed',
    job_type: 'messages',
    user_id: 'u-1',
    metadata: { user_id: 'u-1', session: 's' },
    credit_applied: true,
  });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});

test('metadata of a message names its task and the type of its job (spec 28.1)', async () => {
  const team = await given.team();
  const messages = messagesWith(gateway, team, '/v1/messages?beta=true');
  const metadata = { external_task_id: 'task-1', job_type: 'agent', user_id: '{"session_id":"s"}' };

  const [first, second] = [await messages({ metadata }), await messages({ metadata })];

  expect(first.headers.get('x-job-id')).toBe(second.headers.get('x-job-id'));
  expect(await jobOf(team, first)).toMatchObject({ job_type: 'agent', external_task_id: 'task-1', user_id: null });
});

test('a streamed message has the same text, and at message_stop its job has ended (spec 28.8, spec 28.11, spec 30.8)', async () => {
  const team = await given.team({ models: ['sim-tokens-7-prompt-tokens-11-cached-4-written-3'] });
  const messages = messagesWith(gateway, team);

  const whole = expectOk(await messages());
  const streamed = await messages({ stream: true });

  expect(streamed.headers.get('content-type')).toBe('text/event-stream');
  const events = readNamedEvents(streamed.text);
  expect(events[0].message.usage).toMatchObject({ input_tokens: expect.any(Number), output_tokens: 1 });
  expect(events[0].message.usage.input_tokens).toBeGreaterThan(5);
  const message = joinEvents(events);
  expect(message).toEqual({ ...whole, id: message.id });
  expect(message.usage).toEqual({
    input_tokens: 4,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 4,
    output_tokens: 7,
  });
  expect(await jobOf(team, streamed)).toMatchObject({ status: 'completed', credit_applied: true });
});

test('reasoning comes back to the model that wrote it, signed, streamed and whole (spec 28.4, spec 28.7)', async () => {
  const model = `sim-reasoning-content-tools-once-then-ok-as-${unique('think')}`;
  const team = await given.team({ models: [model] });
  const messages = messagesWith(gateway, team);
  const user = [{ role: 'user', content: 'weather?' }];

  const first = expectOk(await messages({ messages: user, tools: [weather] }));
  const [thinking, use] = first.content;
  const result = { type: 'tool_result', tool_use_id: use.id, content: '20' };
  const followUp = [...user, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }];
  expectOk(await messages({ messages: followUp, tools: [weather] }));

  expect(first.stop_reason).toBe('tool_use');
  expect(thinking).toEqual({
    type: 'thinking',
    thinking: expect.stringMatching(/^Let me think/),
    signature: expect.stringMatching(/^.{20,}$/),
  });
  expect(use).toEqual({
    type: 'tool_use',
    id: expect.any(String),
    name: 'weather',
    input: { city: expect.any(String) },
  });
  const sent = gateway.current.simulator.requestsFor({ model }).at(-1)!.body as { messages: object[] };
  expect(sent.messages).toEqual([
    { role: 'user', content: 'weather?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: use.id, type: 'function', function: { name: 'weather', arguments: JSON.stringify(use.input) } },
      ],
      reasoning_content: thinking.thinking,
    },
    { role: 'tool', tool_call_id: use.id, content: '20' },
  ]);
});

test('a signature with one character changed is answered, and the model sees no reasoning (spec 28.4)', async () => {
  const model = `sim-reasoning-content-as-${unique('think')}`;
  const team = await given.team({ models: [model] });
  const messages = messagesWith(gateway, team);
  const { content } = expectOk(await messages());
  const [thinking, text] = content;
  const signature = (thinking.signature[0] === 'A' ? 'B' : 'A') + thinking.signature.slice(1);

  expectOk(
    await messages({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ ...thinking, signature }, text] },
        { role: 'user', content: 'b' },
      ],
    }),
  );

  const sent = gateway.current.simulator.requestsFor({ model }).at(-1)!.body as { messages: object[] };
  expect(sent.messages[1]).toEqual({ role: 'assistant', content: text.text });
});

test('x-api-key is the key under all of /v1, and an Authorization decides if both are sent (spec 28.2)', async () => {
  const team = await given.team();
  const { url } = gateway.current;
  const get = (headers: Record<string, string>, path = '/v1/models') => sendRequest(url, 'get', path, { headers });
  const good = { 'x-api-key': team.key };

  const answer = await get(good);

  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('vary')).toContain('X-Api-Key');
  expect((await get({ ...good, authorization: `Bearer ${team.key}x` })).status).toBe(401);
  expect((await get({ 'x-api-key': 'sk-wrong', authorization: `Bearer ${team.key}` })).status).toBe(200);
  expect((await get({ 'x-api-key': '' })).status).toBe(401);
  expect((await get(good, `/api/teams/${team.teamId}`)).status).toBe(401);
});

test('headers of a message have the id of the request and the limits in the form of Anthropic (spec 28.9)', async () => {
  const team = await given.team({ rpm_limit: 50 });

  const { headers } = await messagesWith(gateway, team)({}, { 'x-request-id': 'mine' });

  expect([headers.get('request-id'), headers.get('x-request-id')]).toEqual(['mine', 'mine']);
  expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('50');
  expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('49');
  expect(headers.get('anthropic-ratelimit-tokens-remaining')).toMatch(/^\d+$/);
  expect(headers.get('anthropic-ratelimit-tokens-reset')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(headers.get('x-ratelimit-limit-requests')).toBe('50');
});

test('an agent that sends the most its model may answer uses 4,096 tokens of a minute for it (spec 28.11)', async () => {
  const team = await given.team({ tpm_limit: 60_000, models: ['sim-every-300-tokens-5'] });
  const messages = messagesWith(gateway, team);

  const answers = await Promise.all([1, 2, 3].map(() => messages({ max_tokens: 128_000 })));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('what has no place in a chat completion is named, and what the model permits is sent (spec 28.3, spec 28.4)', async () => {
  const model = `sim-ok-as-${unique('extra')}`;
  const team = await given.team({ models: [model] });
  await given
    .admin('patch', `/api/model-groups/${team.modelGroup}`, { extra_fields: ['top_k'] })
    .catch(() => undefined);

  const answer = await messagesWith(
    gateway,
    team,
  )({
    unheard_of: 1,
    service_tier: 'auto',
    tools: [weather, { type: 'web_search_20250305', name: 'web_search' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'unheard_of' }] }],
  });

  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ignored-fields')!.split(', ').toSorted()).toEqual([
    'messages[0].content[1]',
    'service_tier',
    'tools[1]',
    'unheard_of',
  ]);
});

test('a repeated message with an Idempotency-Key has the same answer, streamed too, and is one call (spec 28.1)', async () => {
  const team = await given.team({ credits: 5 });
  const messages = messagesWith(gateway, team);

  for (const stream of [false, true]) {
    const key = { 'idempotency-key': unique('key') };
    const [first, again] = [await messages({ stream }, key), await messages({ stream }, key)];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-call-id')).toBe(first.headers.get('x-call-id'));
    if (stream) expect(joinEvents(readNamedEvents(again.text))).toEqual(joinEvents(readNamedEvents(first.text)));
    else expect(again.text).toBe(first.text);
    expect((await messages({ stream, max_tokens: 7 }, key)).status).toBe(400);
  }
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 3 });
});

test('a strict server takes a conversation in any order (spec 28.5)', async () => {
  const team = await given.team({ models: ['sim-strict-tools'] });

  const answer = await messagesWith(
    gateway,
    team,
  )({
    system: [{ type: 'text', text: 'You help.' }],
    tools: [weather],
    output_config: { effort: 'high' },
    messages: [
      { role: 'user', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'foreign' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't0', name: 'weather', input: {} }] },
      { role: 'system', content: 'c' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'd' },
          { type: 'tool_result', tool_use_id: 't0' },
        ],
      },
      { role: 'user', content: 'e' },
    ],
  });

  expect(answer.status).toBe(200);
});

test('a compressed message is read, and its limit holds for what it contains (spec 28.2)', async () => {
  const team = await given.team();
  const { zstdCompressSync, gzipSync, brotliCompressSync } = await import('node:zlib');
  const body = JSON.stringify({ model: team.modelGroup, max_tokens: 9, messages: [{ role: 'user', content: 'a' }] });
  const send = (encoding: string, raw: Uint8Array<ArrayBuffer>) =>
    sendRequest(gateway.current.url, 'post', '/v1/messages', {
      key: team.key,
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      raw,
    });
  const long = Buffer.from(`{"model":"${'x'.repeat(40_000_000)}"}`);

  expect((await send('zstd', zstdCompressSync(body) as Uint8Array<ArrayBuffer>)).status).toBe(200);
  expect((await send('gzip', gzipSync(body) as Uint8Array<ArrayBuffer>)).status).toBe(200);
  expect((await send('br', brotliCompressSync(body) as Uint8Array<ArrayBuffer>)).status).toBe(200);
  expect((await send('zstd', zstdCompressSync(long) as Uint8Array<ArrayBuffer>)).status).toBe(413);
});

test('a message whose Idempotency-Key is in use is a 409 that may be repeated after a second (spec 28.12)', async () => {
  const team = await given.team({ models: ['sim-slow-6000'] });
  const key = { 'idempotency-key': unique('key') };
  const messages = messagesWith(gateway, team);

  const [first, second] = await Promise.all([messages({ messages: hello }, key), messages({ messages: hello }, key)]);

  expect([first.status, second.status].sort()).toEqual([200, 409]);
  const refused = first.status === 409 ? first : second;
  expect(refused.body.error.type).toBe('conflict_error');
  expect(refused.headers.get('retry-after')).toBe('1');
});
