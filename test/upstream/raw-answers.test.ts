import { once } from 'node:events';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';
import { requestOnce, textOf } from './request-once.ts';

const upstream = rawUpstreamForTests();
const request = (options?: Parameters<typeof requestOnce>[2]) => requestOnce(upstream.url, 'a-model', options);
const stream = () => request({ streamed: true });

const answerWith = (json: unknown, status = 200) => {
  upstream.answer = (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
};
const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
const streamOf = (...events: unknown[]): string => `${events.map(event).join('')}data: [DONE]\n\n`;
const streamWith = (...events: unknown[]) => {
  upstream.answer = (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf(...events));
};

const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });
const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, cost: 0.25 } };

const text = 'Grüße, 你好 😀';
const bytes = Buffer.from(streamOf(...[...text].map((content) => delta({ content })), finish, usage));
const finished = bytes.indexOf('"finish_reason"');

/** After any byte, the answer is an error or complete, and no delta is passed on twice. */
test.each([
  ['the connection breaks', 'broken' as const],
  ['the upstream ends its response in an orderly way', 'ended' as const],
])(
  'a stream that stops after any byte, because %s, is an error or complete',
  async (_, how) => {
    const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 2_000 });
    const shared = { ...client, close: async () => undefined };
    for (let at = 0; at < bytes.length; at += 1) {
      upstream.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        if (how === 'ended') response.end(bytes.subarray(0, at));
        else response.write(bytes.subarray(0, at), () => setImmediate(() => response.destroy()));
      };

      const { answer, deltas, error } = await request({ streamed: true, upstream: shared });

      expect(text.startsWith(textOf(deltas))).toBe(true);
      expect(answer.message.content).toBe(textOf(deltas));
      if (how === 'broken')
        expect(error?.message).toMatch(/^the upstream (broke off its answer|could not be reached)$/);
      else if (at < finished) expect(error?.message).toBe('the upstream ended the stream without a finish reason');
      else if (!error) expect([answer.finishReason, textOf(deltas)]).toEqual(['stop', text]);
    }
    await client.close();
  },
  60_000,
);

const tooLong = "the prompt is longer than the model's context";

test.each([
  ['a code that is a transient status', { code: '429' }, 'the upstream is rate limited', true],
  ['a code that is a permanent status', { code: 400 }, 'the upstream rejected the request', false],
  ['a code that is no status', { code: 'server_busy' }, 'the upstream reported an error', true],
  ['the code of a prompt that is too long', { code: 'context_length_exceeded' }, tooLong, true],
  ['no code', 'overloaded', 'the upstream reported an error', true],
])('an error with %s in a response with status 200 fails the request', async (_, error, message, mayFallBack) => {
  answerWith({ error });
  expect((await request()).error).toMatchObject({ message, mayFallBack });

  streamWith({ error });
  expect((await stream()).error).toMatchObject({ message, mayFallBack });
});

test.each([
  ['a string', 'hello'],
  ['null', null],
  ['no field of a completion', {}],
  ['no choice', { choices: [] }],
  ['choices of another type', { choices: 'none' }],
  ['no message', { choices: [{ finish_reason: 'stop' }] }],
  ['content of another type', { choices: [{ message: { content: { text: 'hi' } } }] }],
])('a response whose body has %s is unreadable', async (_, json) => {
  answerWith(json);

  expect((await request()).error).toMatchObject({
    message: 'the upstream sent an unreadable answer',
    mayFallBack: true,
  });
});

test.each([
  ['that is complete', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }, [7, 3, 10]],
  ['without a total', { prompt_tokens: 7, completion_tokens: 3 }, [7, 3, 10]],
  ['with a total of 0', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 0 }, [7, 3, 10]],
  ['with a total that is not a number', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 'ten' }, [7, 3, 10]],
  ['with fractions', { prompt_tokens: 7.4, completion_tokens: 2.6 }, [7, 3, 10]],
  ['larger than a column can store', { prompt_tokens: 3e9, completion_tokens: 3, total_tokens: 3e9 }, [0, 3, 3]],
  ['that is negative', { prompt_tokens: -7, completion_tokens: 3, total_tokens: -4 }, [0, 3, 3]],
  ['that is null', null, [0, 0, 0]],
])('usage %s gives the recorded token counts', async (_, given, [promptTokens, completionTokens, totalTokens]) => {
  answerWith({ choices: [{ message: { content: 'hi' } }], usage: given });

  const { answer, error } = await request();

  expect(error).toBeUndefined();
  expect(answer.usage).toEqual({ promptTokens, completionTokens, totalTokens });
});

test.each([
  ['not included in the completion tokens, as the total shows, are added', 9, 94, 135, 103],
  ['included in the completion tokens are not added', 103, 94, 135, 103],
  ['not included in the total are not added', 9, 94, 41, 9],
])('reasoning tokens that are %s', async (_, completion_tokens, reasoning_tokens, total_tokens, expected) => {
  const given = { prompt_tokens: 32, completion_tokens, total_tokens, completion_tokens_details: { reasoning_tokens } };
  answerWith({ choices: [{ message: { content: 'hi' } }], usage: given });

  const { answer } = await request();

  const [completionTokens, reasoningTokens] = [expected, reasoning_tokens];
  expect(answer.usage).toEqual({ promptTokens: 32, completionTokens, totalTokens: total_tokens, reasoningTokens });
});

test('the usage of a stream is read from its choice if it is sent there', async () => {
  streamWith(delta({ content: 'hi' }), { choices: [{ delta: {}, finish_reason: 'stop', usage: usage.usage }] });

  const { answer } = await stream();

  expect(answer).toMatchObject({ usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
});

test.each([
  ['a number', 0.25, '0.25'],
  ['a number with an exponent', 1.4e-5, '0.000014'],
  ['a decimal as text', '0.25', '0.25'],
  ['null', null, undefined],
  ['negative', -1, undefined],
  ['a text that is no number', 'free', undefined],
  ['an object', { usd: 1 }, undefined],
  ['implausibly high', 1e12, undefined],
])('a reported cost that is %s is recorded as an exact decimal or not at all', async (_, cost, expected) => {
  streamWith(delta({ content: 'hi' }), finish, {
    choices: [],
    usage: { prompt_tokens: 1, completion_tokens: 1, cost },
  });

  const { answer, error } = await stream();

  expect(error).toBeUndefined();
  expect(answer.reportedCostUsd).toBe(expected);
});

/** `spec 4.5` and, for streams, `spec 4.10`. */
test.each([
  ['0.5', 0.25, '0.5', '0.25'],
  ['0', 0.25, '0', '0.25'],
  ['free', 0.25, '0.25', '0.25'],
  ['0.5', undefined, '0.5', '0.5'],
  ['0.0', undefined, '0', undefined],
  ['0.5', 0, '0.5', '0'],
])(
  'with a cost of %s in the header and %s in the body, %s is recorded, and %s of a stream',
  async (inHeader, inBody, ofBody, ofStream) => {
    const headers = { 'x-litellm-response-cost': inHeader };
    const cost = inBody === undefined ? {} : { cost: inBody };
    const used = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, ...cost };
    const whole = { choices: [{ message: { content: 'hi' } }], usage: used };
    const streamed = streamOf(delta({ content: 'hi' }), finish, { choices: [], usage: used });

    upstream.answer = (response) => response.writeHead(200, headers).end(JSON.stringify(whole));
    expect((await request()).answer.reportedCostUsd).toBe(ofBody);
    expect((await stream()).answer.reportedCostUsd).toBe(ofStream);
    upstream.answer = (response) => response.writeHead(200, headers).end(streamed);
    expect((await request()).answer.reportedCostUsd).toBe(ofStream);
    expect((await stream()).answer.reportedCostUsd).toBe(ofStream);
  },
);

test('an event with empty data in a stream is ignored', async () => {
  const events = [delta({ content: 'hi' }), finish].map((chunk) => `data:\n\n${event(chunk)}data: \n\n`);
  upstream.answer = (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events.join('')}data: [DONE]\n\n`);

  const { deltas, error } = await stream();

  expect([textOf(deltas), error]).toEqual(['hi', undefined]);
});

test('a surrogate pair that is split between two chunks is complete in the recorded message', async () => {
  streamWith(delta({ content: '\ud83d' }), delta({ content: '\ude00' }), finish);

  expect((await stream()).answer.message.content).toBe('😀');
});

test('tool calls of a stream with gaps in their indexes get consecutive indexes in the order in which they begin', async () => {
  const piece = (index: number, rest: object) => delta({ tool_calls: [{ index, ...rest }] });
  streamWith(
    piece(2, { id: 'call_2', function: { name: 'second', arguments: '{"a"' } }),
    piece(0, { id: 'call_0', function: { name: 'first', arguments: '{}' } }),
    piece(2, { function: { arguments: ':1}' } }),
    finish,
  );

  const { answer, deltas } = await stream();

  expect(deltas.flatMap(({ tool_calls }) => tool_calls?.map(({ index }) => index))).toEqual([0, 1, 0]);
  expect(answer.message.toolCalls).toEqual([
    { id: 'call_2', type: 'function', function: { name: 'second', arguments: '{"a":1}' } },
    { id: 'call_0', type: 'function', function: { name: 'first', arguments: '{}' } },
  ]);
});

test.each([[0], [null], [undefined]])(
  'tool calls of a stream that all have the index %p are separated by their ids',
  async (index) => {
    const piece = (rest: object) => delta({ tool_calls: [{ index, ...rest }] });
    streamWith(
      piece({ id: 'a', function: { name: 'first', arguments: '{"x"' } }),
      piece({ function: { arguments: ':1}' } }),
      piece({ id: 'b', function: { name: 'second', arguments: '{"y"' } }),
      piece({ id: 'b', function: { name: 'second', arguments: ':2}' } }),
      piece({ id: 'another for each piece', function: { arguments: '' } }),
      finish,
    );

    expect((await stream()).answer.message.toolCalls).toEqual([
      { id: 'a', type: 'function', function: { name: 'first', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'second', arguments: '{"y":2}' } },
    ]);
  },
);

test.each([undefined, null, ''])(
  'each name without an index and with the id %p begins another tool call',
  async (id) => {
    const call = (json: string) => ({ id, type: 'function', function: { name: 'f', arguments: json } });
    streamWith(
      delta({ tool_calls: [call('{"x":1}'), call('{"x"')] }),
      delta({ tool_calls: [{ function: { arguments: ':2}' } }] }),
      finish,
    );

    const { answer } = await stream();

    expect(answer.message.toolCalls?.map((toolCall) => toolCall.function.arguments)).toEqual(['{"x":1}', '{"x":2}']);
  },
);

test('the id and name of a tool call that come with every chunk are passed on once', async () => {
  const piece = (json: string) =>
    delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: json } }] });
  streamWith(piece('{'), piece('}'), finish);

  const { deltas } = await stream();

  expect(deltas.flatMap(({ tool_calls }) => tool_calls)).toEqual([
    { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{' } },
    { index: 0, function: { arguments: '}' } },
  ]);
});

test('a stream with more than 128 tool calls is unreadable', async () => {
  const calls = Array.from({ length: 129 }, (_, index) => ({ index, id: `${index}`, function: { name: 'f' } }));
  streamWith(delta({ tool_calls: calls }), finish);

  expect((await stream()).error?.message).toBe('the upstream sent an unreadable answer');
});

test('the ids and names of tool calls count for the maximum size of a response', async () => {
  const long = 'x'.repeat(9 * 1_048_576);
  const call = (index: number) => delta({ tool_calls: [{ index, id: `${index}${long}`, function: { name: long } }] });
  streamWith(call(0), call(1), call(2), call(3), finish);

  expect((await stream()).error?.message).toBe('the upstream sent an unreadable answer');
});

test.each([true, false])(
  'a model or usage of another type does not fail a response (streamed: %p)',
  async (streamed) => {
    const message = { content: 'hi' };
    const odd = { model: 7, usage: 'n/a' };
    if (streamed) streamWith(delta(message), { ...finish, ...odd });
    else answerWith({ choices: [{ message, finish_reason: 'stop' }], ...odd });

    const { answer, error } = await request({ streamed });

    expect(error).toBeUndefined();
    expect(answer).toMatchObject({ message, modelUsed: undefined, usage: { totalTokens: 0 } });
  },
);

test.each([true, false])(
  'a response without an answer or with an error has its tokens and cost recorded (streamed: %p)',
  async (streamed) => {
    const { usage: used } = usage;
    for (const useless of [{ choices: [] }, { error: { message: 'no' } }]) {
      if (streamed) streamWith({ ...useless, usage: used });
      else answerWith({ ...useless, usage: used });

      const { answer, error } = await request({ streamed });

      expect(error?.mayFallBack).toBe(true);
      expect(answer).toMatchObject({ usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
    }
  },
);

test.each(['error', 'abort', 'insufficient_system_resource'])(
  'an answer with the finish reason %s has failed, and has its tokens and cost recorded',
  async (reason) => {
    const ended = { choices: [{ delta: {}, finish_reason: reason }] };
    for (const streamed of [true, false]) {
      if (streamed) streamWith(delta({ content: 'half' }), ended, usage);
      else answerWith({ choices: [{ message: { content: 'half' }, finish_reason: reason }], usage: usage.usage });

      const { answer, error } = await request({ streamed });

      expect(error).toMatchObject({ message: 'the upstream could not finish its answer', mayFallBack: true });
      expect(answer).toMatchObject({ usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
    }
  },
);

test.each([true, false])('an error in the choice fails the request (streamed: %p)', async (streamed) => {
  const failed = { finish_reason: 'error', error: { code: 502, message: 'no' } };
  if (streamed) streamWith({ choices: [{ ...failed, delta: {} }] });
  else answerWith({ choices: [{ ...failed, message: { content: '' } }] });

  const { error } = await request({ streamed });

  expect(error).toMatchObject({ message: 'the upstream answered with status 502', mayFallBack: true });
});

test('an empty usage at the end of a stream does not replace an earlier one', async () => {
  streamWith(delta({ content: 'hi' }), finish, usage, { choices: [], usage: {} });

  expect((await stream()).answer.usage).toEqual({ promptTokens: 7, completionTokens: 3, totalTokens: 10 });
});

test('content that is sent in parts is joined', async () => {
  const content = [
    { type: 'text', text: 'one ' },
    { type: 'thinking', thinking: [] },
    { type: 'text', text: 'two' },
  ];
  answerWith({ choices: [{ message: { content }, finish_reason: 'stop' }] });

  expect((await request()).answer.message.content).toBe('one two');
});

test('content that is sent as a number is converted to text', async () => {
  streamWith(delta({ content: '[' }), delta({ content: 1 }), delta({ content: ']' }), finish);

  const { answer, deltas, error } = await stream();

  expect([error, textOf(deltas), answer.message.content]).toEqual([undefined, '[1]', '[1]']);
});

test.each([true, false])(
  'arguments of a tool call that are sent as an object are converted to JSON text (streamed: %p)',
  async (streamed) => {
    const call = { index: 0, id: 0, type: 'function', function: { name: 'f', arguments: { city: 'Rome' } } };
    if (streamed) streamWith(delta({ tool_calls: [call] }), { choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
    else answerWith({ choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] });

    const { answer, error } = await request({ streamed });

    expect(error).toBeUndefined();
    expect(answer.message.toolCalls).toEqual([
      { id: '0', type: 'function', function: { name: 'f', arguments: '{"city":"Rome"}' } },
    ]);
  },
);

test('a response with status 201 is successful', async () => {
  answerWith({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }, 201);

  expect((await request()).answer.message.content).toBe('hi');
});

test('a byte order mark before the body of a response is ignored', async () => {
  upstream.answer = (response) => response.end('\ufeff{"choices":[{"message":{"content":"hi"}}]}');

  expect((await request()).answer.message.content).toBe('hi');
});

test.each(['{"valueOf":1,"toString":1}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'true'])(
  'an error whose code is neither a number nor text is transient',
  async (code) => {
    upstream.answer = (response) => response.end(`{"error":{"message":"no","code":${code}}}`);

    expect((await request()).error).toMatchObject({ message: 'the upstream reported an error', mayFallBack: true });
  },
);

test('an empty finish reason in a stream does not count as one', async () => {
  streamWith({ choices: [{ delta: { content: 'hi' }, finish_reason: '' }] }, finish, usage);

  const { answer } = await stream();

  expect(answer).toMatchObject({ finishReason: 'stop', usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
});

test('a connection is used again for the next stream, although what follows [DONE] is not waited for', async () => {
  const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 2_000 });
  const shared = { ...client, close: async () => undefined };
  const before = upstream.connections;
  let ended: Promise<unknown> = Promise.resolve();
  upstream.answer = (response) => {
    ended = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(streamOf(delta({ content: 'hi' }), finish));
    setTimeout(() => response.end(': and something after it\n\n'), 20);
  };

  for (let count = 0; count < 6; count += 1) {
    expect((await request({ streamed: true, upstream: shared })).error).toBeUndefined();
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await client.close();

  expect(upstream.connections - before).toBeLessThan(4);
});
