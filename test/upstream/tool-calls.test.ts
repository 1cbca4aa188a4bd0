import { delta, finish, rawAnswersForTests } from './raw-answers.ts';

const { request, stream, answerWith, streamWith } = rawAnswersForTests();

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
