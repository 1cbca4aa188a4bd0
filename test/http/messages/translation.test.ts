import type { InvalidRequest } from '../../../src/errors.ts';
import type { CountTokensBody } from '../../../src/http/messages/messages-request.ts';
import { CountTokensRequest } from '../../../src/http/messages/messages-request.ts';
import { toMessageCall } from '../../../src/http/messages/model-request.ts';

const cache_control = { type: 'ephemeral' };
const hi = [{ role: 'user', content: 'hi' }];

function translate(fields: object, mediaUrls: 'public' | 'data' | 'any' = 'public') {
  const body = CountTokensRequest.parse({ model: 'smart', messages: hi, ...fields }) as CountTokensBody;
  const { request, leftOut, unknownFields } = toMessageCall(body, null, new Map(), mediaUrls);
  return { sent: JSON.parse(request.body), leftOut, unknownFields, request };
}

const messagesOf = (...messages: object[]) => translate({ messages }).sent.messages;
const fn = (name: string, fields: object = {}) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} }, ...fields },
});
const custom = (name: string, fields: object = {}) => ({ name, input_schema: fn('').function.parameters, ...fields });

function problemOf(fields: object, mediaUrls?: 'public' | 'data') {
  try {
    translate(fields, mediaUrls);
  } catch (error) {
    return (error as InvalidRequest).items[0]!;
  }
  throw new Error('no problem');
}

test('a message without optional fields is a chat completion of its messages (spec 28.4)', () => {
  expect(translate({ max_tokens: 7 }).sent).toEqual({ messages: hi, max_tokens: 7 });
});

test('the fields of a message that have a place in a chat completion are sent under its names (spec 28.4)', () => {
  const { sent, leftOut, unknownFields } = translate({
    max_tokens: 32_000,
    stop_sequences: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' } }, task_budget: {} },
    service_tier: 'auto',
    context_management: { edits: [] },
    speed: null,
    metadata: { user_id: 'u' },
    mcp_servers: [],
    container: null,
    stream: true,
  });

  expect(sent).toEqual({
    messages: hi,
    max_tokens: 32_000,
    stop: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    reasoning_effort: 'xhigh',
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
    },
  });
  expect(leftOut).toEqual(['service_tier', 'context_management', 'output_config.task_budget']);
  expect(unknownFields).toEqual(['top_k']);
});

test.each<[object, string | undefined]>([
  [{ output_config: { effort: 'low' } }, 'low'],
  [{ output_config: { effort: 'xhigh' } }, 'xhigh'],
  [{ output_config: { effort: 'high' }, thinking: { type: 'adaptive', display: 'omitted' } }, 'high'],
  [{ output_config: { effort: 'high' }, thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'high'],
  [{ thinking: { type: 'enabled', budget_tokens: 4_096 } }, 'low'],
  [{ thinking: { type: 'enabled', budget_tokens: 4_097 } }, 'medium'],
  [{ thinking: { type: 'enabled', budget_tokens: 16_384 } }, 'medium'],
  [{ thinking: { type: 'enabled', budget_tokens: 16_385 } }, 'high'],
  [{ thinking: { type: 'adaptive' } }, undefined],
  [{ output_config: { effort: 'high' }, thinking: { type: 'disabled' } }, undefined],
])('the effort of %j is %s (spec 28.4)', (fields, effort) => {
  expect(translate(fields).sent.reasoning_effort).toBe(effort);
});

test('instructions, blocks and marks of the cache have their places in the messages of a chat completion (spec 28.4)', () => {
  const { sent, leftOut } = translate({
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=1;' },
      { type: 'text', text: 'You help.', cache_control },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          { type: 'image', source: { type: 'url', url: 'https://rivers.example/po.png' }, cache_control },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BB==' }, title: 'a.pdf' },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'plain' },
            title: 'T',
            context: 'C',
          },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] } },
          {
            type: 'search_result',
            source: 'https://a.example',
            title: 'A',
            content: [{ type: 'text', text: 'found' }],
          },
          { type: 'compaction', content: 'x' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'S1' },
          { type: 'redacted_thinking', data: 'S2' },
          { type: 'text', text: 'I look.' },
          { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} },
          { type: 'tool_use', id: 't0', name: 'f', input: { city: 'Paris' }, cache_control },
        ],
      },
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't0',
            content: [
              { type: 'text', text: '20' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'CC==' } },
              { type: 'tool_reference', tool_name: 'later' },
              { type: 'browser_state' },
            ],
            is_error: false,
          },
        ],
      },
    ],
  });

  expect(sent.messages).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'You help.', cache_control }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        { type: 'image_url', image_url: { url: 'https://rivers.example/po.png' }, cache_control },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BB==' } },
        { type: 'text', text: 'T\n\nC\n\nplain' },
        { type: 'text', text: 'inner' },
        { type: 'text', text: 'A\nhttps://a.example\nfound' },
      ],
    },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 't0', type: 'function', function: { name: 'f', arguments: '{"city":"Paris"}' } }],
      sealed_reasoning: ['S1', 'S2'],
      cache_control,
    },
    { role: 'tool', tool_call_id: 't0', content: '20\nlater' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'From the result of the tool call t0:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,CC==' } },
        { type: 'text', text: '<system>Be brief.</system>' },
      ],
    },
  ]);
  expect(leftOut).toEqual(['messages[0].content[7]', 'messages[1].content[3]', 'messages[3].content[0].content[3]']);
});

test('an instruction for the answer to one message is left out once the user has gone on (spec 28.4)', () => {
  const brief = { role: 'system', content: 'Be brief.', clear_at: 'next_user_message' };

  expect(messagesOf(...hi, brief)[0].content).toEqual([
    { type: 'text', text: 'hi' },
    { type: 'text', text: '<system>Be brief.</system>' },
  ]);
  expect(messagesOf(...hi, brief, { role: 'assistant', content: 'Hm' }, ...hi)).toEqual([
    ...hi,
    { role: 'assistant', content: 'Hm' },
    ...hi,
  ]);
});

test('numbers of tool calls are sent as they were written (spec 28.4)', () => {
  const input = { n: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('12345678901234567890') };
  const content = [{ type: 'tool_use', id: 't0', name: 'f', input }];

  const [, message] = messagesOf(...hi, { role: 'assistant', content });

  expect(message.tool_calls[0].function.arguments).toBe('{"n":12345678901234567890}');
});

test('tools are functions, and those of Anthropic that the client runs have documented parameters (spec 28.6)', () => {
  const { sent, leftOut } = translate({
    tools: [
      custom('a', { description: 'A', strict: true, cache_control }),
      { type: 'custom', name: 'b' },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 10 },
      { type: 'memory_20250818', name: 'memory' },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
  });

  expect(sent.tools.slice(0, 2)).toEqual([{ ...fn('a', { description: 'A', strict: true }), cache_control }, fn('b')]);
  expect(sent.tools.slice(2).map((one: { function: { name: string } }) => one.function.name)).toEqual([
    'bash',
    'str_replace_based_edit_tool',
    'memory',
  ]);
  expect(Object.keys(sent.tools[2].function.parameters.properties)).toEqual(['command', 'restart']);
  expect([sent.tool_choice, sent.parallel_tool_calls]).toEqual(['required', false]);
  expect(leftOut).toEqual(['tools[5]']);
});

test.each<[object, unknown]>([
  [{ type: 'auto' }, 'auto'],
  [{ type: 'any' }, 'required'],
  [{ type: 'none' }, 'none'],
  [
    { type: 'tool', name: 'a' },
    { type: 'function', function: { name: 'a' } },
  ],
])('the tool choice %j is %j (spec 28.6)', (tool_choice, choice) => {
  expect(translate({ tools: [custom('a')], tool_choice }).sent.tool_choice).toEqual(choice);
  expect(translate({ tools: [], tool_choice }).sent).toEqual({ messages: hi });
});

test('a deferred tool is sent once a block names it, until one takes it away (spec 28.6)', () => {
  const tools = [custom('now'), custom('later', { defer_loading: true }), custom('never', { defer_loading: true })];
  const names = (...messages: object[]) =>
    translate({ tools, messages: [...hi, ...messages] }).sent.tools.map(
      (one: { function: { name: string } }) => one.function.name,
    );
  const reference = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'tool_reference', tool_name: 'later' }] }],
  };
  const system = (type: string, tool: object) => ({ role: 'system', content: [{ type, tool }] });
  const named = (name: string) => ({ type: 'tool_reference', name });

  expect(names()).toEqual(['now']);
  expect(names(reference)).toEqual(['now', 'later']);
  expect(names(system('tool_addition', named('later')))).toEqual(['now', 'later']);
  expect(names(reference, system('tool_removal', named('now')))).toEqual(['later']);
  expect(names(reference, system('tool_removal', named('later')))).toEqual(['now']);
  expect(
    names(system('tool_addition', { type: 'tool_definition', definition: custom('new', { defer_loading: true }) })),
  ).toEqual(['now', 'new']);
});

test.each<[string, object, (string | number)[], string]>([
  [
    'only hosted tools',
    { tools: [{ type: 'web_search_20250305', name: 'w' }] },
    ['body', 'tools'],
    'unsupported_value',
  ],
  [
    'a choice of a hosted tool',
    { tools: [custom('a'), { type: 'web_search_20250305', name: 'w' }], tool_choice: { type: 'tool', name: 'w' } },
    ['body', 'tool_choice', 'name'],
    'unsupported_value',
  ],
  ['servers of MCP', { mcp_servers: [{ name: 'a' }] }, ['body', 'mcp_servers'], 'unsupported_value'],
  ['a container', { container: 'c' }, ['body', 'container'], 'unsupported_value'],
  [
    'a document by its address',
    {
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://a.example' } }] }],
    },
    ['body', 'messages', 0, 'content', 0, 'source', 'type'],
    'unsupported_value',
  ],
  [
    'a file by its id',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
    ['body', 'messages', 0, 'content', 0, 'source', 'type'],
    'unsupported_value',
  ],
  [
    'an address inside of the network',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'http://10.0.0.1/' } }] }] },
    ['body', 'messages', 0, 'content', 0, 'source', 'url'],
    'value_error',
  ],
])('%s is refused at its place (spec 28.4, spec 28.6)', (_name, fields, loc, type) => {
  expect(problemOf(fields)).toMatchObject({ loc, type });
});
