import { append, type Message, type ToolCallDelta } from '../../src/domain/chat-message.ts';
import { delta, finish, rawAnswersForTests } from './raw-answers.ts';
import { callId } from './request-once.ts';

const { request, stream, answerWith, streamWith } = rawAnswersForTests();

const own = (index: number) => `call_${callId.replaceAll('-', '')}${index}`;
const rome = '{"city":"Rome"}';
const oslo = '{"city":"Oslo"}';

/** A piece of a tool call: its arguments, and whatever else it has. */
const piece = (json: unknown, { name, ...rest }: Record<string, unknown> = {}) => ({
  ...rest,
  function: { ...(name !== undefined && { name }), ...(json !== undefined && { arguments: json }) },
});

/** Each chunk is the tool calls of one delta. */
type Chunks = object[][];
/** What each tool call of the answer is: id, name and arguments. */
type Expected = [string, string, string][];

const forms: Record<string, [Chunks, Expected]> = {
  'without an id': [[[piece(rome, { index: 0, name: 'weather' })]], [[own(0), 'weather', rome]]],
  'with an id that is null': [[[piece(rome, { index: 0, id: null, name: 'weather' })]], [[own(0), 'weather', rome]]],
  'with an id that is empty': [[[piece(rome, { index: 0, id: '', name: 'weather' })]], [[own(0), 'weather', rome]]],
  'with an id that is an object': [[[piece(rome, { index: 0, id: {}, name: 'weather' })]], [[own(0), 'weather', rome]]],
  'with an id of more than 16 KiB': [
    [[piece(rome, { index: 0, id: 'x'.repeat(16_385), name: 'weather' })]],
    [[own(0), 'weather', rome]],
  ],
  'with an id that comes after the name and before the arguments': [
    [[piece('', { index: 0, name: 'weather' })], [piece('', { index: 0, id: 'a' })], [piece(rome, { index: 0 })]],
    [['a', 'weather', rome]],
  ],
  'with an id that comes after the arguments': [
    [[piece(rome, { index: 0, name: 'weather' })], [piece('', { index: 0, id: 'a' })]],
    [[own(0), 'weather', rome]],
  ],
  'two with the same id': [
    [[piece(rome, { index: 0, id: 'a', name: 'weather' })], [piece(oslo, { index: 1, id: 'a', name: 'weather' })]],
    [
      ['a', 'weather', rome],
      [own(1), 'weather', oslo],
    ],
  ],
  'a name in two pieces': [
    [
      [piece('', { index: 0, id: 'a', name: 'get_' })],
      [piece(undefined, { index: 0, name: 'weather' })],
      [piece(rome, { index: 0 })],
    ],
    [['a', 'get_weather', rome]],
  ],
  'a name in three pieces, the last with arguments, without an index and an id': [
    [
      [piece('', { name: 'get' })],
      [piece('', { name: '_' })],
      [piece('{"city"', { name: 'weather' })],
      [piece(':"Rome"}')],
    ],
    [[own(0), 'get_weather', rome]],
  ],
  'names in pieces that alternate': [
    [
      [piece('', { index: 0, id: 'a', name: 'get_' }), piece('', { index: 1, id: 'b', name: 'get_' })],
      [piece('', { index: 0, name: 'weather' }), piece('', { index: 1, name: 'time' })],
      [piece('{}', { index: 1 }), piece(rome, { index: 0 })],
    ],
    [
      ['a', 'get_weather', rome],
      ['b', 'get_time', '{}'],
    ],
  ],
  'a name that grows with each piece': [
    [
      [piece('', { index: 0, id: 'a', name: 'get_' })],
      [piece('', { index: 0, id: 'a', name: 'get_weather' })],
      [piece(rome, { index: 0 })],
    ],
    [['a', 'get_weather', rome]],
  ],
  'id and name in every piece': [
    ['{"city"', ':"Rome"', '}', ''].map((json) => [piece(json, { index: 0, id: 'a', name: 'weather' })]),
    [['a', 'weather', rome]],
  ],
  'the name in every piece, without an id': [
    ['', '{"city"', ':"Rome"', '}', ''].map((json) => [piece(json, { index: 0, name: 'weather' })]),
    [[own(0), 'weather', rome]],
  ],
  'the name in every piece, without an id and an index': [
    ['{"city"', ':"Rome"', '}'].map((json) => [piece(json, { name: 'weather' })]),
    [[own(0), 'weather', rome]],
  ],
  'two of one function, both at index 0 and without an id': [
    [[piece(rome, { index: 0, name: 'weather' })], [piece(oslo, { index: 0, name: 'weather' })]],
    [
      [own(0), 'weather', rome],
      [own(1), 'weather', oslo],
    ],
  ],
  'two in one chunk without arguments, indexes and ids': [
    [[piece('', { name: 'weather' }), piece('', { name: 'time' })]],
    [
      [own(0), 'weather', '{}'],
      [own(1), 'time', '{}'],
    ],
  ],
  'no arguments': [[[piece(undefined, { index: 0, id: 'a', name: 'now' })]], [['a', 'now', '{}']]],
  'arguments that are null': [[[piece(null, { index: 0, id: 'a', name: 'now' })]], [['a', 'now', '{}']]],
  'arguments that are sent whole again': [
    [
      [piece('{"city"', { index: 0, id: 'a', name: 'weather' })],
      [piece(':"Rome"}', { index: 0 })],
      [piece(rome, { index: 0, id: 'a', name: 'weather' })],
    ],
    [['a', 'weather', rome]],
  ],
  'arguments as an object, twice': [
    [
      [piece({ city: 'Rome' }, { index: 0, id: 'a', name: 'weather' })],
      [piece({ city: 'Rome' }, { index: 0, id: 'a' })],
    ],
    [['a', 'weather', rome]],
  ],
  'name and arguments without `function`': [
    [[{ index: 0, id: 'a', name: 'weather', arguments: rome }]],
    [['a', 'weather', rome]],
  ],
};

const called = ({ toolCalls = [] }: Message) =>
  toolCalls.map(({ id, function: { name, arguments: json } }) => [id, name, json]);

/** As clients do it: id and name from the first piece of an index. */
function readByFirstPieces(pieces: ToolCallDelta[]) {
  const calls: [string | undefined, string | undefined, string][] = [];
  for (const { index, id, function: { name, arguments: json = '' } = {} } of pieces) {
    calls[index] ??= [id, name, ''];
    calls[index][2] += json;
  }
  return calls;
}

test.each(Object.entries(forms))(
  'tool calls with %s are the same in the stream and in the record, with id and name in their first piece (spec 4.10, spec 17.18)',
  async (_, [chunks, expected]) => {
    streamWith(...chunks.map((tool_calls) => delta({ tool_calls })), finish);

    const { answer, deltas, error } = await stream();

    expect(error).toBeUndefined();
    expect(called(answer.message)).toEqual(expected);
    expect(readByFirstPieces(deltas.flatMap(({ tool_calls = [] }) => tool_calls))).toEqual(expected);
    const streamed: Message = { content: '' };
    for (const one of deltas) append(streamed, one);
    expect(streamed).toEqual(answer.message);
  },
);

test.each([true, false])(
  'a whole answer with tool calls without ids has the same ids (requested as a stream: %p)',
  async (streamed) => {
    const call = (name: string) => ({ type: 'function', function: { name, arguments: rome } });
    answerWith({ choices: [{ message: { tool_calls: [call('a'), call('b')] }, finish_reason: 'tool_calls' }] });

    const { answer } = await request({ streamed });

    expect(called(answer.message)).toEqual([
      [own(0), 'a', rome],
      [own(1), 'b', rome],
    ]);
  },
);

test('a function call whose name comes in pieces has the whole name in its first piece', async () => {
  const called = (name: string, json?: string) => delta({ function_call: { name, arguments: json } });
  streamWith(called('get_'), called('weather'), delta({ function_call: { arguments: rome } }), finish);

  const { deltas } = await stream();

  expect(deltas).toEqual([
    {
      tool_calls: [
        {
          index: 0,
          id: own(0),
          type: 'function',
          function: { name: 'get_weather', arguments: rome },
          isFunctionCall: true,
        },
      ],
    },
  ]);
});

test('a tool call without arguments that is followed by a text begins before it', async () => {
  streamWith(
    delta({ tool_calls: [piece('', { index: 0, id: 'a', name: 'now' })] }),
    delta({ content: 'It is late.' }),
    finish,
  );

  const { deltas } = await stream();

  expect(deltas.map((one) => Object.keys(one))).toEqual([['tool_calls'], ['content'], ['tool_calls']]);
  expect(deltas[2]).toEqual({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] });
});

test.each([
  ['reasoning_content', { reasoning_content: 'Hm.' }],
  ['reasoning', { reasoning: 'Hm.' }],
  ['thinking', { thinking: 'Hm.' }],
  ['a part of the content', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }],
  ['a part of the content as a text', { content: [{ type: 'thinking', thinking: 'Hm.' }] }],
])('reasoning is read from %s (spec 17.17)', async (_, fields) => {
  streamWith(delta(fields), delta({ content: 'Yes' }), finish);

  const { answer } = await request({ streamed: true, parts: 'all' });

  expect(answer.message).toEqual({ content: 'Yes', reasoning_content: 'Hm.' });
});
