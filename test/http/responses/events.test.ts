import { deltasOf } from '../../../src/domain/answer-parts.ts';
import { append, type Delta, type Message } from '../../../src/domain/chat-message.ts';
import { ResponseEvents } from '../../../src/http/responses/answer/response-events.ts';
import { call, eventsOf, expectWellFormed, hex, more, outputOf, recordOf, typesOf } from './answers.ts';

const reasoned: Delta[] = [
  { reasoning_content: 'Let me ' },
  { reasoning_content: 'think.' },
  { states: ['sealed-1'] },
  { content: 'The Po' },
  { content: ' is long.' },
];

test('reasoning and a text are two items, with the events that clients expect (spec 29.13, spec 29.14)', () => {
  const events = eventsOf(reasoned);

  expect(typesOf(events)).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ]);
  expectWellFormed(events);
  expect(outputOf(events)).toEqual([
    {
      id: `rs_${hex}_0`,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Let me think.' }],
      encrypted_content: 'sealed-1',
    },
    {
      id: `msg_${hex}_1`,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'The Po is long.', annotations: [], logprobs: [] }],
    },
  ]);
});

test('a response has all fields of its request, or the defaults, in its first event and in its last (spec 29.11)', () => {
  const [created, ...rest] = eventsOf(
    [{ content: 'x' }],
    recordOf({ user: 'ada', temperature: 0, metadata: { a: 1 } as never }),
  );

  expect(created!.response).toEqual({
    id: `resp_${hex}`,
    object: 'response',
    created_at: 1_769_851_800,
    completed_at: null,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: { a: 1 },
    model: 'smart',
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 0,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: 'ada',
  });
  expect(rest.at(-1)!.response).toMatchObject({
    status: 'completed',
    completed_at: 1_769_851_801,
    usage: {
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 8,
    },
  });
});

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
])('the finish reason %s makes a response incomplete (spec 29.12)', (finishReason, reason) => {
  const events = eventsOf([{ content: 'x' }], recordOf(), finishReason);

  expect(typesOf(events).at(-1)).toBe('incomplete');
  expect(events.at(-1)!.response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason },
    completed_at: null,
    output: [{ status: 'incomplete' }],
  });
});

test('an answer without anything is a message with an empty text (spec 29.12)', () => {
  const events = eventsOf([{ content: '' }]);

  expectWellFormed(events);
  expect(outputOf(events)).toEqual([
    expect.objectContaining({ content: [{ type: 'output_text', text: '', annotations: [], logprobs: [] }] }),
  ]);
});

test('a refusal is a part of the message, after the text (spec 29.14)', () => {
  const events = eventsOf([{ content: 'No: ' }, { refusal: 'I can' }, { refusal: 'not.' }]);

  expectWellFormed(events);
  expect(typesOf(events).slice(3, -2)).toEqual([
    'content_part.added',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'content_part.added',
    'refusal.delta',
    'refusal.delta',
    'refusal.done',
    'content_part.done',
  ]);
  expect(outputOf(events)[0].content[1]).toEqual({ type: 'refusal', refusal: 'I cannot.' });
});

test('an annotation has all of its fields, and one after a tool call belongs to the text before it (spec 29.12)', () => {
  const source = (url: string): Delta => ({ annotations: [{ type: 'url_citation', url_citation: { url } }] });
  const events = eventsOf([{ content: 'x' }, source('https://a'), call(0, 'c', 'f', '{}'), source('https://b')]);

  expectWellFormed(events);
  const annotation = { type: 'url_citation', url: 'https://a', title: '', start_index: 0, end_index: 0 };
  expect(events.find(({ type }) => type.endsWith('annotation.added'))).toMatchObject({
    annotation_index: 0,
    annotation,
  });
  expect(outputOf(events)[0].content[0].annotations).toEqual([annotation, { ...annotation, url: 'https://b' }]);
});

test('a function call is streamed as it is written, and its name and namespace are apart (spec 29.9, spec 29.14)', () => {
  const tools = { agents__wait: { type: 'function' as const, name: 'wait', namespace: 'agents' } };
  const events = eventsOf(
    [call(0, 'call_1', 'agents__wait'), more(0, '{"a"'), more(0, ':1}')],
    recordOf({}, { tools }),
  );

  expectWellFormed(events);
  expect(typesOf(events).slice(2, -1)).toEqual([
    'output_item.added',
    'function_call_arguments.delta',
    'function_call_arguments.delta',
    'function_call_arguments.done',
    'output_item.done',
  ]);
  expect(events[2]!.item).toMatchObject({ status: 'in_progress', arguments: '' });
  expect(outputOf(events)).toEqual([
    {
      id: `fc_${hex}_0`,
      type: 'function_call',
      status: 'completed',
      call_id: 'call_1',
      name: 'wait',
      namespace: 'agents',
      arguments: '{"a":1}',
    },
  ]);
});

test('calls that a model writes in turns are items one after the other, and the first is streamed meanwhile (spec 29.13)', () => {
  const events = eventsOf([
    call(0, 'a', 'f'),
    call(1, 'b', 'g'),
    more(0, '{"x":'),
    more(1, '{"y":'),
    more(0, '1}'),
    more(1, '2}'),
    { content: 'done' },
  ]);

  expectWellFormed(events);
  expect(outputOf(events).map(({ arguments: json }) => json)).toEqual(['{"x":1}', '{"y":2}', undefined]);
  expect(typesOf(events).filter((type) => type.endsWith('arguments.delta'))).toHaveLength(4);
});

test('a call that is whole ends when the next one begins (spec 29.13)', () => {
  const events = new ResponseEvents(recordOf());
  events.begin();
  events.delta(call(0, 'a', 'f', '{"x":1}'));

  expect(typesOf(events.delta(call(1, 'b', 'g')))).toEqual([
    'function_call_arguments.done',
    'output_item.done',
    'output_item.added',
  ]);
});

test('a call whose name comes late begins then, with all of its pieces (spec 29.13)', () => {
  const nameless: Delta = { tool_calls: [{ index: 0, id: 'a', function: { arguments: '{' } }] };
  const events = eventsOf([nameless, call(0, '', 'f', '}')]);

  expectWellFormed(events);
  expect(outputOf(events)).toMatchObject([{ name: 'f', call_id: 'a', arguments: '{}' }]);
});

test('an answer is the same events from its record, in the pieces in which it came (spec 29.17)', () => {
  const tools = { apply_patch: { type: 'custom' as const, name: 'apply_patch' } };
  const deltas: Delta[] = [
    { reasoning_content: 'a\ud83d' },
    { reasoning_content: '\ude00' },
    { states: ['s'] },
    { content: 'x\ud83d' },
    { content: '\ude00y' },
    call(0, 'c', 'apply_patch'),
    more(0, '{"input":"\\ud8'),
    more(0, '3d\\ude00"}'),
    call(1, 'd', 'g', '{}'),
    { states: ['t'] },
    { content: 'z' },
  ];
  const message: Message = { content: '' };
  for (const delta of deltas) append(message, delta);
  message.order = [
    ['reasoning_content', 2],
    ['reasoning_content', 1],
    ['states', 1],
    ['content', 2],
    ['content', 2],
    ['tool:0', 0],
    ['tool:0', 15],
    ['tool:0', 13],
    ['tool:1', 2],
    ['states', 1],
    ['content', 1],
  ];

  const live = eventsOf(deltas, recordOf({}, { tools }));
  const recorded = eventsOf(deltasOf(message), recordOf({}, { tools }));

  expectWellFormed(live);
  expect(recorded).toEqual(live);
  expect(outputOf(live)[2]).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', input: '\u{1F600}' });
});

test.each([
  [
    'shell',
    '{"commands":["ls"],"timeout_ms":5}',
    { type: 'shell_call', action: { commands: ['ls'], timeout_ms: 5, max_output_length: null } },
  ],
  [
    'local_shell',
    '{"command":["ls","-l"]}',
    { type: 'local_shell_call', action: { type: 'exec', command: ['ls', '-l'], env: {} } },
  ],
  [
    'apply_patch',
    '{"type":"create_file","path":"a","diff":"+x"}',
    { type: 'apply_patch_call', operation: { type: 'create_file', path: 'a', diff: '+x' } },
  ],
  [
    'apply_patch',
    '{"type":"delete_file","path":"a"}',
    { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
  ],
  ['tool_search', '{"query":"x"}', { type: 'tool_search_call', execution: 'client', arguments: { query: 'x' } }],
  ['shell', '{"comm', { type: 'shell_call', action: { commands: [] } }],
] as const)(
  'a call of %s with %s is an item of its own, without further events (spec 29.9)',
  (type, json, expected) => {
    const events = eventsOf([call(0, 'c', type, json)], recordOf({}, { tools: { [type]: { type, name: type } } }));

    expectWellFormed(events);
    expect(typesOf(events).slice(2, -1)).toEqual(['output_item.added', 'output_item.done']);
    expect(outputOf(events)).toMatchObject([{ call_id: 'c', status: 'completed', ...expected }]);
  },
);

test('a failure is response.failed with what was written, then error with an error object (spec 29.16)', () => {
  const events = new ResponseEvents(recordOf());
  events.begin();
  events.delta({ content: 'half' });

  const [failed, error] = events.fail({ code: 'server_error', message: 'It broke', type: 'server_error' });

  expect(failed!.response).toMatchObject({
    status: 'failed',
    error: { code: 'server_error', message: 'It broke' },
    output: [{ status: 'incomplete', content: [{ text: 'half' }] }],
  });
  const shown = { code: 'server_error', message: 'It broke', param: null };
  expect(error).toEqual({ type: 'error', sequence_number: 6, ...shown, error: { type: 'server_error', ...shown } });
});

test('the sealed state is not shown unless the request asks for it (spec 29.2)', () => {
  expect(outputOf(eventsOf(reasoned, recordOf({}, { showsStates: false })))[0]).not.toHaveProperty('encrypted_content');
});
