import { type Entry, type TextPart, toMessages } from '../../../src/http/v1/conversation.ts';

const text = (content: string): TextPart => ({ type: 'text', text: content });
const cache_control = { type: 'ephemeral' };
const cached = (content: string): TextPart => ({ ...text(content), cache_control });
const system = (...parts: TextPart[]): Entry => ({ kind: 'system', parts });
const user = (content: string): Entry => ({ kind: 'user', parts: [text(content)] });
const says = (content: string): Entry => ({ kind: 'assistant', text: [text(content)] });
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } });
const calls = (...ids: string[]): Entry => ({ kind: 'assistant', calls: ids.map(call) });
const result = (callId: string, content = `r-${callId}`): Entry => ({ kind: 'result', callId, text: content });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

const assistant = (ids: string[], content: unknown = null) => ({
  role: 'assistant',
  content,
  ...(ids.length > 0 && { tool_calls: ids.map(call) }),
});
const tool = (id: string, content = `r-${id}`) => ({ role: 'tool', tool_call_id: id, content });

test.each<[string, Entry[], object[]]>([
  ['nothing is no message', [], []],
  [
    'instructions at the beginning are one system message, joined by a blank line',
    [system(text('a'), text('b')), system(text('c')), user('u')],
    [
      { role: 'system', content: 'a\n\nb\n\nc' },
      { role: 'user', content: 'u' },
    ],
  ],
  [
    'a mark of the cache keeps the texts of instructions apart, and their joined text as it is without one',
    [system(text('a'), cached('b'), text('c')), user('u')],
    [
      { role: 'system', content: [text('a'), cached('\n\nb'), text('\n\nc')] },
      { role: 'user', content: 'u' },
    ],
  ],
  ['empty instructions are no message', [system(text('')), user('u')], [{ role: 'user', content: 'u' }]],
  [
    'a later instruction is a text of the user in its place, one message with its neighbours',
    [user('u'), system(text('a'), text('b')), user('v'), says('x'), system(cached('c'))],
    [
      { role: 'user', content: [text('u'), text('<system>a\n\nb</system>'), text('v')] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [cached('<system>c</system>')] },
    ],
  ],
  [
    'consecutive entries of the assistant are one message: texts, calls, reasoning',
    [
      user('u'),
      { kind: 'assistant', sealed: ['s1'] },
      { kind: 'assistant', text: [text('a'), text('b')] },
      says('c'),
      { kind: 'assistant', calls: [call('1')], sealed: ['s2'] },
      calls('2'),
      result('1'),
      result('2'),
    ],
    [
      { role: 'user', content: 'u' },
      { ...assistant(['1', '2'], 'ab\n\nc'), sealed_reasoning: ['s1', 's2'] },
      tool('1'),
      tool('2'),
    ],
  ],
  [
    'results follow their calls in the order of the calls, whatever stands between',
    [user('u'), calls('1', '2'), user('v'), system(text('s')), result('2'), result('1'), user('w')],
    [
      { role: 'user', content: 'u' },
      assistant(['1', '2']),
      tool('1'),
      tool('2'),
      { role: 'user', content: [text('v'), text('<system>s</system>'), text('w')] },
    ],
  ],
  [
    'a result ends the message of the assistant: what follows is the next one',
    [user('u'), calls('1'), result('1'), says('a'), calls('2'), result('2'), says('b')],
    [
      { role: 'user', content: 'u' },
      assistant(['1']),
      tool('1'),
      assistant(['2'], 'a'),
      tool('2'),
      { role: 'assistant', content: 'b' },
    ],
  ],
  [
    'a result of an earlier message does not divide the message in which it stands',
    [user('u'), calls('1'), user('v'), says('a'), result('1'), says('b')],
    [
      { role: 'user', content: 'u' },
      assistant(['1']),
      tool('1'),
      { role: 'user', content: 'v' },
      { role: 'assistant', content: 'a\n\nb' },
    ],
  ],
  [
    'a result that stands before its call follows it',
    [user('u'), result('1'), calls('1', '2'), result('2'), result('1', 'other')],
    [
      { role: 'user', content: 'u' },
      assistant(['1', '2']),
      tool('1'),
      tool('2'),
      { role: 'user', content: 'Result of the tool call 1: other' },
    ],
  ],
  [
    'a second result of a call is not that of a later call with its id',
    [user('u'), calls('1'), result('1'), result('1', 'other'), calls('1')],
    [
      { role: 'user', content: 'u' },
      assistant(['1']),
      tool('1'),
      { role: 'user', content: 'Result of the tool call 1: other' },
      assistant(['1']),
      tool('1', 'There is no result of this call.'),
    ],
  ],
  [
    'two calls with one id have each the result that follows it',
    [user('u'), calls('1'), result('1', 'x'), calls('1'), result('1', 'y')],
    [{ role: 'user', content: 'u' }, assistant(['1']), tool('1', 'x'), assistant(['1']), tool('1', 'y')],
  ],
  [
    'a call without a result has a text in its place',
    [user('u'), calls('1', '2'), result('2'), user('v')],
    [
      { role: 'user', content: 'u' },
      assistant(['1', '2']),
      tool('1', 'There is no result of this call.'),
      tool('2'),
      { role: 'user', content: 'v' },
    ],
  ],
  ['an empty result is a result', [calls('1'), result('1', '')], [assistant(['1']), tool('1', '')]],
  [
    'a result without a call, or a second one, is a text of the user',
    [user('u'), result('9'), calls('1'), result('1'), result('1', 'again')],
    [
      { role: 'user', content: [text('u'), text('Result of the tool call 9: r-9')] },
      assistant(['1']),
      tool('1'),
      { role: 'user', content: 'Result of the tool call 1: again' },
    ],
  ],
  [
    'images of results follow in one message of the user that names the calls',
    [
      user('u'),
      calls('1', '2'),
      { kind: 'result', callId: '1', text: '', media: [image] },
      { kind: 'result', callId: '2', text: 't', media: [image, image] },
      user('v'),
    ],
    [
      { role: 'user', content: 'u' },
      assistant(['1', '2']),
      tool('1', 'See the next message.'),
      tool('2', 't'),
      {
        role: 'user',
        content: [
          text('From the result of the tool call 1:'),
          image,
          text('From the result of the tool call 2:'),
          image,
          image,
          text('v'),
        ],
      },
    ],
  ],
  [
    'reasoning alone is left out, at the end and between two messages of the user',
    [
      user('u'),
      { kind: 'assistant', sealed: ['s'] },
      user('v'),
      { kind: 'assistant', sealed: ['s'], text: [text('')] },
    ],
    [{ role: 'user', content: [text('u'), text('v')] }],
  ],
  [
    'a refusal is the text of the assistant',
    [user('u'), { kind: 'assistant', refusal: 'No.' }, user('v')],
    [
      { role: 'user', content: 'u' },
      { role: 'assistant', content: 'No.' },
      { role: 'user', content: 'v' },
    ],
  ],
  [
    'marks of the cache stay on texts of user and assistant, on results and on calls',
    [
      { kind: 'user', parts: [cached('u')] },
      { kind: 'assistant', text: [cached('a')], calls: [call('1')], cacheControl: cache_control },
      { kind: 'result', callId: '1', text: 'r', cacheControl: cache_control },
      { kind: 'assistant', text: [text('b')], cacheControl: null },
    ],
    [
      { role: 'user', content: [cached('u')] },
      { ...assistant(['1'], [cached('a')]), cache_control },
      { ...tool('1', 'r'), cache_control },
      { role: 'assistant', content: 'b' },
    ],
  ],
  ['a message of the user without any part stays', [{ kind: 'user', parts: [] }], [{ role: 'user', content: '' }]],
])('order of a conversation: %s (spec 28.5)', (_title, entries, messages) => {
  expect(toMessages(entries)).toEqual(messages);
});

test('order of a conversation: in any one, instructions are first, sides alternate, pairs are complete and adjacent (spec 28.5)', () => {
  const kinds: (() => Entry)[] = [
    () => system(text('s')),
    () => user('u'),
    () => says('a'),
    () => ({ kind: 'assistant', sealed: ['s'] }),
    () => calls('1', '2'),
    () => calls('3'),
    () => result('1'),
    () => result('2'),
    () => ({ kind: 'result', callId: '3', text: '', media: [image] }),
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 2_000; round += 1) {
    const entries = Array.from({ length: next(12) }, () => kinds[next(kinds.length)]!());

    const messages = toMessages(entries);

    let open: string[] = [];
    for (const [index, { role, tool_calls = [], tool_call_id }] of messages.entries()) {
      const before = messages[index - 1]?.role;
      if (role === 'system') expect(index).toBe(0);
      if (role === 'tool') expect(tool_call_id).toBe(open.shift());
      else expect(open).toEqual([]);
      if (role === 'user' || role === 'assistant') expect(before).not.toBe(role);
      if (role === 'assistant') open = (tool_calls as { id: string }[]).map(({ id }) => id);
    }
    expect(open).toEqual([]);
  }
});
