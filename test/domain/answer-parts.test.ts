import {
  addPieces,
  deltasAfter,
  deltasOf,
  isUsualOrder,
  partsOf,
  piecesOfDelta,
} from '../../src/domain/answer-parts.ts';
import { append, type Delta, type Message, type Piece } from '../../src/domain/chat-message.ts';

const call = (index: number, name: string, json: string): Delta => ({
  tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: json } }],
});
const json = (index: number, text: string): Delta => ({ tool_calls: [{ index, function: { arguments: text } }] });

/** An answer that goes back and forth, in the pieces of its stream. */
const streamed: Delta[] = [
  { reasoning_content: 'Fir' },
  { reasoning_content: 'st.' },
  { states: ['sealed 0'] },
  { content: 'Let me look.' },
  call(0, 'look', ''),
  json(0, '{"a"'),
  json(0, ':1}'),
  { states: ['sealed 1'] },
  call(1, 'wait', '{}'),
  { reasoning_content: 'Then.' },
  { content: 'Done' },
  { content: '!' },
];

function record(deltas: readonly Delta[], keepsPieces: boolean): Message {
  const message: Message = { content: '' };
  const order: Piece[] = [];
  for (const delta of deltas) {
    append(message, delta);
    const pieces = piecesOfDelta(delta);
    if (keepsPieces) order.push(...pieces);
    else addPieces(order, pieces);
  }
  return { ...message, order };
}

test('an answer that is recorded with its pieces is read again in exactly these pieces (spec 31.6)', () => {
  const joined = deltasOf(record(streamed, true));

  expect(
    joined.flatMap((delta) => (delta.tool_calls ? delta.tool_calls.map((one) => ({ tool_calls: [one] })) : [delta])),
  ).toEqual(streamed);
});

test('an answer that is recorded without its pieces is read again in the order in which the model wrote it', () => {
  expect(partsOf(record(streamed, false))).toEqual([
    { type: 'reasoning', text: 'First.', sealed: 'sealed 0' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_call', call: { id: 'call_0', type: 'function', function: { name: 'look', arguments: '{"a":1}' } } },
    { type: 'reasoning', text: '', sealed: 'sealed 1' },
    { type: 'tool_call', call: { id: 'call_1', type: 'function', function: { name: 'wait', arguments: '{}' } } },
    { type: 'reasoning', text: 'Then.' },
    { type: 'text', text: 'Done!' },
  ]);
});

test.each([...streamed.keys(), streamed.length])(
  'after %i pieces of a stream the rest that the record supplies is what has not been sent (spec 31.6)',
  (sent) => {
    const message = record(streamed, true);
    const before: Message = { content: '' };
    for (const delta of streamed.slice(0, sent)) append(before, delta);

    const all = structuredClone(before);
    for (const delta of deltasAfter(message, before)!) append(all, delta);

    const { order: _, ...whole } = message;
    expect(all).toEqual(whole);
  },
);

test('a text that does not begin as what was sent has no rest', () => {
  expect(deltasAfter({ content: 'abc' }, { content: 'x' })).toBeUndefined();
});

test.each<[boolean, Piece[]]>([
  [true, []],
  [true, [['content', 3]]],
  [
    true,
    [
      ['reasoning_content', 3],
      ['content', 3],
      ['tool:0', 2],
      ['tool:1', 2],
    ],
  ],
  [
    false,
    [
      ['content', 3],
      ['reasoning_content', 3],
    ],
  ],
  [
    false,
    [
      ['tool:1', 3],
      ['tool:0', 3],
    ],
  ],
  [
    false,
    [
      ['tool:0', 3],
      ['content', 3],
    ],
  ],
  [
    false,
    [
      ['states', 1],
      ['content', 3],
    ],
  ],
])('whether an answer needs no order is %s for %j', (expected, order) => {
  expect(isUsualOrder(order)).toBe(expected);
});

test('an answer without an order is read as reasoning, text, refusal and all tool calls at once', () => {
  const toolCalls = [0, 1].map((index) => ({
    id: `call_${index}`,
    type: 'function' as const,
    function: { name: 'look', arguments: '{}' },
  }));

  expect(deltasOf({ content: 'b', reasoning_content: 'a', toolCalls })).toEqual([
    { reasoning_content: 'a' },
    { content: 'b' },
    { tool_calls: toolCalls.map((one, index) => ({ index, ...one })) },
  ]);
});

test('a tool call that the record has dropped because its answer was stopped is skipped (spec 26.10)', () => {
  const { toolCalls, ...message } = record(streamed, true);
  const [first] = toolCalls!;

  expect(partsOf({ ...message, toolCalls: [first!] }).filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  expect(partsOf(message).some(({ type }) => type === 'tool_call')).toBe(false);
});

test('a tool call whose arguments were sent with half a surrogate pair continues from the record, which has none', () => {
  const toolCall = (text: string) => ({
    id: 'call_0',
    type: 'function' as const,
    function: { name: 'look', arguments: text },
  });
  const recorded: Message = { content: '', toolCalls: [toolCall('{"a":"\ufffd"}')] };

  expect(deltasAfter(recorded, { content: '', toolCalls: [toolCall('{"a":"\ud800')] })).toEqual([json(0, '"}')]);
  expect(deltasAfter(recorded, { content: '', toolCalls: [toolCall('{"b":"\ud800')] })).toBeUndefined();
});
