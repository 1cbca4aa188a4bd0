import { chat, readChunks, simulatorForTests, streamed, textOf } from './client.ts';

const simulator = simulatorForTests();

test('an answer has text, usage and cost', async () => {
  const reply = await chat(simulator, 'sim-tokens-4');

  expect(reply.json).toMatchObject({
    object: 'chat.completion',
    model: 'sim-tokens-4',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: expect.any(String) } }],
    usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
  });
  expect(Number(reply.headers.get('x-litellm-response-cost'))).toBeCloseTo(18e-6, 12);
});

test('the same request gets the same text, streamed or not', async () => {
  const [first, second, stream] = await Promise.all([
    chat(simulator, 'gpt-4o'),
    chat(simulator, 'gpt-4o'),
    chat(simulator, 'gpt-4o', streamed),
  ]);

  expect(second.json.choices).toEqual(first.json.choices);
  expect(first.json.choices).toMatchObject([{ message: { content: textOf(readChunks(stream)) } }]);
});

test('another prompt gets another text', async () => {
  const other = { messages: [{ role: 'user', content: 'Tell me about stones' }] };

  const [first, second] = await Promise.all([chat(simulator, 'gpt-4o'), chat(simulator, 'gpt-4o', other)]);

  expect(second.json.choices).not.toEqual(first.json.choices);
});

test('a stream has the role in its first chunk, then the finish reason, then the usage', async () => {
  const reply = await chat(simulator, 'sim-tokens-3', streamed);

  const chunks = readChunks(reply);
  expect(chunks.map(({ choices }) => choices[0]?.delta.role)).toEqual(['assistant', ...Array(4).fill(undefined)]);
  expect(chunks[3]?.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  expect(chunks[4]?.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 });
  expect(reply.text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('a stream has its usage only when include_usage is set', async () => {
  const reply = await chat(simulator, 'sim-tokens-3', { stream: true });

  expect(readChunks(reply).every(({ usage }) => usage === undefined)).toBe(true);
});

test.each([
  ['sim-choices-20', 1, { index: 19 }],
  ['sim-annotations-20', 20, { delta: { annotations: [{ type: 'url_citation' }] } }],
  ['sim-tool-calls-20', 20, { delta: { tool_calls: [{ index: 19, id: 'call_19' }] } }],
])('the model %s streams %i chunks, however many parts they have', async (model, count, last) => {
  const chunks = readChunks(await chat(simulator, model, streamed));

  expect(chunks).toHaveLength(count);
  expect(chunks.at(-1)?.choices.at(-1)).toMatchObject(last);
});

test('max_tokens cuts an answer, and a stop sequence ends an answer', async () => {
  const whole = await chat(simulator, 'sim-echo', { messages: [{ role: 'user', content: 'one two three four' }] });
  const cut = await chat(simulator, 'sim-tokens-9', { max_tokens: 2 });
  const stopped = await chat(simulator, 'sim-echo', {
    messages: [{ role: 'user', content: 'one two three four' }],
    stop: ['three'],
  });

  expect(whole.json).toMatchObject({ choices: [{ message: { content: 'one two three four' } }] });
  expect(cut.json).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 2 } });
  expect(stopped.json).toMatchObject({ choices: [{ finish_reason: 'stop', message: { content: 'one two ' } }] });
});

const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

test('tool_choice required calls a tool with arguments that match its schema', async () => {
  const reply = await chat(simulator, 'gpt-4o', { tools: [weather], tool_choice: 'required' });

  const { choices } = reply.json as { choices: { message: { tool_calls: { function: { arguments: string } }[] } }[] };
  expect(choices).toMatchObject([
    { finish_reason: 'tool_calls', message: { content: null, tool_calls: [{ function: { name: 'get_weather' } }] } },
  ]);
  expect(JSON.parse(choices[0]?.message.tool_calls[0]?.function.arguments ?? '')).toEqual({ city: expect.any(String) });
});

test('an offered tool is called only when the user message contains its name', async () => {
  const silent = await chat(simulator, 'gpt-4o', { tools: [weather] });
  const named = await chat(simulator, 'gpt-4o', {
    tools: [weather],
    messages: [{ role: 'user', content: 'Please call get_weather' }],
  });

  expect(silent.json).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  expect(named.json).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
});

test('an answer matches the requested JSON schema', async () => {
  const schema = {
    type: 'object',
    properties: { sum: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
  };

  const reply = await chat(simulator, 'gpt-4o', {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
  });

  const { choices } = reply.json as { choices: { message: { content: string } }[] };
  expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({
    sum: expect.any(Number),
    tags: [expect.any(String)],
  });
});

test('a chat without messages gets the error of LiteLLM', async () => {
  const reply = await chat(simulator, 'gpt-4o', { messages: undefined });

  expect(reply.status).toBe(400);
  expect(reply.json).toEqual({
    error: {
      message: "/chat/completions: Missing required parameter: 'messages'.",
      type: 'invalid_request_error',
      param: 'messages',
      code: '400',
    },
  });
});
