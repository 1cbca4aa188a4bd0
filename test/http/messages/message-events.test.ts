import type { Delta } from '../../../src/domain/chat-message.ts';
import { MessageEvents } from '../../../src/http/messages/message-events.ts';
import { serializeMessage } from '../../../src/http/messages/serialize-message.ts';
import { joinEvents, readNamedEvents } from './messages.ts';

const naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'smart', created: 1 };
const usage = { promptTokens: 1_000, completionTokens: 7, totalTokens: 1_007, cachedTokens: 900 };
const end = (finishReason = 'stop') => ({ status: 'succeeded' as const, finishReason, usage, latencyMs: 0 });
const tool = (index: number, json: string, id?: string): Delta => ({
  tool_calls: [{ index, ...(id && { id, type: 'function' }), function: { ...(id && { name: 'f' }), arguments: json } }],
});

function eventsOf(deltas: Delta[], finishReason?: string) {
  const events = new MessageEvents(naming);
  const text = [
    ...events.begin(5),
    ...deltas.flatMap((delta) => events.delta(delta)),
    ...events.end(end(finishReason)),
    ...events.stop(),
  ].join('');
  return readNamedEvents(text);
}

const messageOf = (deltas: Delta[], finishReason?: string) => joinEvents(eventsOf(deltas, finishReason));
const contentOf = (deltas: Delta[]) => messageOf(deltas).content;
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'f', input });

test('a stream of Messages has the events of Anthropic, each with its own fields (spec 28.8, spec 28.11)', () => {
  expect(eventsOf([{ content: 'Hi' }, { content: '!' }])).toEqual([
    {
      type: 'message_start',
      message: {
        id: 'msg_9a64d0f721c84e3db5fa06e87b13c9d2',
        type: 'message',
        role: 'assistant',
        model: 'smart',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '!' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 900, output_tokens: 7 },
    },
    { type: 'message_stop' },
  ]);
});

test.each<[string, Delta[], object[]]>([
  ['nothing at all has no content', [], []],
  [
    'reasoning is signed by the state that follows it, and by something else where there is none',
    [
      { reasoning_content: 'a' },
      { states: ['S1'] },
      { content: 'x' },
      { reasoning_content: 'b' },
      { refusal: 'No.' },
      { states: ['S2', 'S3'] },
      tool(0, '{}', 't0'),
    ],
    [
      { type: 'thinking', thinking: 'a', signature: 'S1' },
      { type: 'text', text: 'x' },
      { type: 'thinking', thinking: 'b', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'No.' },
      { type: 'redacted_thinking', data: 'S2' },
      { type: 'redacted_thinking', data: 'S3' },
      use('t0'),
    ],
  ],
  [
    'tool calls that follow each other are blocks that follow each other',
    [tool(0, '', 't0'), tool(0, '{"a"'), tool(0, ':1}'), tool(1, '{}', 't1'), { content: 'x' }],
    [use('t0', { a: 1 }), use('t1'), { type: 'text', text: 'x' }],
  ],
  [
    'tool calls that are written at once are whole, one after the other',
    [tool(0, '{"a"', 't0'), tool(1, '{"b"', 't1'), tool(2, '{}', 't2'), tool(0, ':1}'), tool(1, ':2}')],
    [use('t0', { a: 1 }), use('t1', { b: 2 }), use('t2')],
  ],
  [
    'a tool call without arguments has an empty object',
    [tool(0, '', 't0'), tool(1, '', 't1'), { content: 'x' }],
    [use('t0'), use('t1'), { type: 'text', text: 'x' }],
  ],
  [
    'halves of a character in two pieces are one',
    [{ content: 'a\ud83d' }, { content: '\ude00' }],
    [{ type: 'text', text: 'a😀' }],
  ],
  ['empty pieces are no block', [{ content: '' }, { reasoning_content: '' }], []],
])('content of a stream of Messages: %s (spec 28.8)', (_title, deltas, content) => {
  expect(contentOf(deltas)).toEqual(content);
});

test('a tool call of a stream of Messages is sent while it is written (spec 28.8)', () => {
  const events = new MessageEvents(naming);
  events.begin(1);

  const counts = [tool(0, '', 't0'), tool(0, '{"a"'), tool(0, ':1}'), tool(1, '', 't1'), tool(1, '{"b":2')].map(
    (delta) => events.delta(delta).length,
  );

  expect(counts).toEqual([1, 1, 1, 2, 1]);
});

test.each([
  ['stop', false, 'end_turn'],
  ['anything', false, 'end_turn'],
  ['length', false, 'max_tokens'],
  ['length', true, 'max_tokens'],
  ['content_filter', false, 'refusal'],
  ['stop', true, 'tool_use'],
  ['content_filter', true, 'tool_use'],
  ['stop_sequence', false, 'stop_sequence'],
])(
  'the finish reason %s, with tool calls: %s, is %s, streamed and whole (spec 28.7)',
  (reason, hasCalls, stopReason) => {
    const call = { id: 't0', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const message = { content: 'x', ...(hasCalls && { toolCalls: [call] }) };

    const whole = serializeMessage(naming, { ...end(reason), message });
    const streamed = messageOf([{ content: 'x' }, ...(hasCalls ? [tool(0, '{}', 't0')] : [])], reason);

    expect([whole.stop_reason, streamed.stop_reason]).toEqual([stopReason, stopReason]);
    expect(streamed).toEqual(whole);
  },
);

test('a whole message has its parts in the order in which the model wrote (spec 28.7)', () => {
  const call = (id: string, json: string) => ({
    id,
    type: 'function' as const,
    function: { name: 'f', arguments: json },
  });
  const message = {
    reasoning_content: 'ab',
    content: 'xy',
    refusal: 'No.',
    states: ['S1', 'S2'],
    toolCalls: [call('t0', '{"a":1,"b":"br'), call('t1', 'null')],
    order: [
      ['content', 1],
      ['reasoning_content', 2],
      ['states', 1],
      ['tool:0', 14],
      ['content', 1],
      ['states', 1],
      ['tool:1', 4],
      ['refusal', 3],
    ] as [never, number][],
  };

  expect(serializeMessage(naming, { ...end('length'), message }).content).toEqual([
    { type: 'text', text: 'x' },
    { type: 'thinking', thinking: 'ab', signature: 'S1' },
    use('t0', { a: 1, b: 'br' }),
    { type: 'text', text: 'y' },
    { type: 'redacted_thinking', data: 'S2' },
    use('t1'),
    { type: 'text', text: 'No.' },
  ]);
});
