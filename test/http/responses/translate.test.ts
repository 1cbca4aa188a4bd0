import { itemsOf } from '../../../src/http/responses/request/items.ts';
import {
  type ResponseRequest,
  ResponseRequest as Schema,
} from '../../../src/http/responses/request/response-request.ts';
import { translateRequest } from '../../../src/http/responses/request/to-model-request.ts';
import type { Json } from '../../support/send-request.ts';
import recorded from './recorded-requests.json' with { type: 'json' };

function translate(body: object, earlier: object[] = []) {
  const request = Schema.parse({ model: 'smart', ...body }) as ResponseRequest;
  const items = [...itemsOf(earlier as never), ...itemsOf(request.input)];
  const translated = translateRequest(request, items, { earlier: earlier.length, purpose: null });
  return { ...translated, chat: JSON.parse(translated.request.body) as Json };
}

const chatOf = (body: object) => translate(body).chat;
const messagesOf = (input: unknown, rest: object = {}) => chatOf({ input, ...rest }).messages;

test.each(Object.entries(recorded))(
  'a request of %s becomes a chat completion whose calls have their results (spec 29.7)',
  (name, body) => {
    if (name.includes('references')) return;
    const { chat } = translate(body);

    const [first, ...rest] = chat.messages as Json[];
    expect(first.role).toBe('system');
    expect(rest.filter(({ role }) => role === 'system')).toEqual([]);
    for (const [index, { tool_calls: calls = [] }] of rest.entries())
      expect(rest.slice(index + 1, index + 1 + calls.length).map(({ tool_call_id }) => tool_call_id)).toEqual(
        calls.map(({ id }: Json) => id),
      );
    for (const tool of chat.tools) expect(tool).toMatchObject({ type: 'function', function: { name: /./ } });
  },
);

test('Codex: a custom tool, a namespace and a search are functions, and what a provider runs is left out (spec 29.9)', () => {
  const { chat, tools, leftOut } = translate(recorded['codex, after a custom tool call']);

  expect(chat.tools.map((tool: Json) => tool.function.name)).toEqual(['exec_command', 'apply_patch', 'tool_search']);
  const [, patch] = chat.tools;
  expect(patch.function.description).toMatch(/FREEFORM.*match this grammar \(lark\):\nstart: begin_patch/s);
  expect(patch.function.parameters).toMatchObject({ properties: { input: { type: 'string' } }, required: ['input'] });
  expect(tools).toEqual({
    apply_patch: { type: 'custom', name: 'apply_patch' },
    tool_search: { type: 'tool_search', name: 'tool_search' },
  });
  expect(leftOut).toEqual(['tools[3]']);
  const call = chat.messages.find(({ tool_calls }: Json) => tool_calls);
  expect(call.sealed_reasoning).toEqual(['c2VhbGVk']);
  expect(JSON.parse(call.tool_calls[0].function.arguments).input).toMatch(/^\*\*\* Begin Patch\n/);
});

test('Codex: a call in a namespace has the name of the function that the model knows (spec 29.9)', () => {
  const { chat, tools } = translate(recorded['codex, after a call in a namespace']);

  const [called] = chat.messages.find(({ tool_calls }: Json) => tool_calls).tool_calls;
  expect(called.function.name).toBe('multi_agent_v1__spawn_agent');
  expect(Object.values(tools)).toEqual([{ type: 'function', name: 'close_agent', namespace: 'multi_agent_v1' }]);
});

test('Codex: the tools of an item are further tools (spec 29.7)', () => {
  const { chat, tools } = translate(recorded['codex, tools in an item']);

  expect(chat.tools.map((tool: Json) => tool.function.name)).toEqual(
    expect.arrayContaining(['functions__exec', 'functions__wait']),
  );
  expect(tools.functions__exec).toEqual({ type: 'custom', name: 'exec', namespace: 'functions' });
});

test('a schema for the answer is response_format, and other fields have their names of a chat completion (spec 29.5)', () => {
  const { chat } = translate(recorded['codex, with an output schema']);
  expect(chat.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'codex_output_schema', strict: true, schema: { required: ['answer'] } },
  });
  expect(
    chatOf({
      input: 'x',
      max_output_tokens: 7,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'high', format: { type: 'json_object' } },
      temperature: 0,
      top_p: 0.5,
      service_tier: 'flex',
      prompt_cache_key: 'k',
      parallel_tool_calls: false,
      tool_choice: 'auto',
    }),
  ).toEqual({
    messages: [{ role: 'user', content: 'x' }],
    temperature: 0,
    top_p: 0.5,
    max_tokens: 7,
    response_format: { type: 'json_object' },
    reasoning_effort: 'low',
    verbosity: 'high',
    prompt_cache_key: 'k',
    service_tier: 'flex',
  });
});

test('instructions and first developer messages are one system message, later ones texts of the user in tags (spec 29.8)', () => {
  const input = [
    {
      role: 'developer',
      content: [
        { type: 'input_text', text: 'b' },
        { type: 'input_text', text: 'c' },
      ],
    },
    { role: 'user', content: 'hi' },
    { role: 'system', content: 'later' },
  ];

  expect(messagesOf(input, { instructions: 'a' })).toEqual([
    { role: 'system', content: 'a\n\nb\n\nc' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'text', text: '<system>later</system>' },
      ],
    },
  ]);
});

test('reasoning alone at the end is no message (spec 29.8)', () => {
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: 'x' },
  ];

  expect(messagesOf(input)).toEqual([{ role: 'user', content: 'hi' }]);
});

test('images, files and sounds are parts of a chat completion, those in results too (spec 29.7)', () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' };
  const messages = messagesOf([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'x' },
        image,
        { type: 'input_file', file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' },
        { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
      ],
    },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'see' }, image] },
  ]);

  const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } };
  expect(messages[0].content.slice(1)).toEqual([
    shown,
    { type: 'file', file: { file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' } },
    { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
  ]);
  expect(messages[1].tool_calls[0].function.arguments).toBe('{}');
  expect(messages[2]).toEqual({ role: 'tool', tool_call_id: 'c', content: 'see' });
  expect(messages[3]).toMatchObject({ role: 'user', content: [{ type: 'text' }, shown] });
});

test('calls of the tools of the API and their outputs are pairs of a call and its result (spec 29.7)', () => {
  const messages = messagesOf([
    { role: 'user', content: 'x' },
    { type: 'shell_call', call_id: 'a', action: { commands: ['ls'], timeout_ms: null } },
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: 'b', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    { type: 'local_shell_call', id: 'lsh_1', call_id: 'b', action: { type: 'exec', command: ['ls'], env: {} } },
    { type: 'local_shell_call_output', id: 'b', output: 'c' },
    { type: 'apply_patch_call', call_id: 'c', operation: { type: 'delete_file', path: 'x' } },
    { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'no file' },
    { type: 'tool_search_call', call_id: 'd', execution: 'client', arguments: { query: 'y' } },
    { type: 'tool_search_output', call_id: 'd', tools: [{ type: 'function', name: 'found' }] },
  ]);

  expect(messages.map(({ role }: Json) => role)).toEqual(['user', ...Array(4).fill(['assistant', 'tool']).flat()]);
  expect(messages[1].tool_calls[0].function).toEqual({ name: 'shell', arguments: '{"commands":["ls"]}' });
  expect(messages[4].content).toBe('c');
  expect(messages[6].content).toBe('failed\nno file');
  expect(messages[8].content).toContain('found');
});

test('items of a provider and unknown ones are left out and named, by their place in the request (spec 29.7)', () => {
  const input = [{ role: 'user', content: 'x' }, { type: 'web_search_call', id: 'ws_1' }, { type: 'brand_new' }];
  const { chat, leftOut } = translate({ input, truncation: 'auto', max_tool_calls: 3 }, [
    { role: 'user', content: 'a' },
    { type: 'brand_new' },
  ]);

  expect(leftOut).toEqual(['truncation', 'max_tool_calls', 'input[1]', 'input[2]']);
  expect(chat.messages).toHaveLength(1);
});

const functionTool = (name: string) => ({ type: 'function', name, parameters: null });

test('parameters that are null are an empty object (spec 29.9)', () => {
  const { tools } = chatOf({ input: 'x', tools: [functionTool('f')] });

  expect(tools).toEqual([
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
  ]);
});

test('the name of a long tool in a namespace has 64 characters and ends in its hash (spec 29.9)', () => {
  const tools = [{ type: 'namespace', name: 'n'.repeat(60), tools: [functionTool('aaaa'), functionTool('bbbb')] }];
  const names = chatOf({ input: 'x', tools }).tools.map((tool: Json) => tool.function.name);

  expect(names).toEqual([expect.stringMatching(/^n{56}[\da-f]{8}$/), expect.stringMatching(/^n{56}[\da-f]{8}$/)]);
  expect(names[0]).not.toBe(names[1]);
});

const tools = [
  functionTool('f'),
  { type: 'custom', name: 'c' },
  { type: 'shell' },
  { type: 'namespace', name: 'n', tools: [functionTool('g')] },
];

test.each([
  [{ type: 'function', name: 'f' }, 'f'],
  [{ type: 'custom', name: 'c' }, 'c'],
  [{ type: 'shell' }, 'shell'],
  [{ type: 'function', name: 'g', namespace: 'n' }, 'n__g'],
  [{ type: 'function', name: 'g' }, 'n__g'],
])('tool_choice %j names the function %s (spec 29.10)', (choice, name) => {
  expect(chatOf({ input: 'x', tools, tool_choice: choice }).tool_choice).toEqual({
    type: 'function',
    function: { name },
  });
});

test('allowed_tools leaves the others out (spec 29.10)', () => {
  const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'c' }, { type: 'shell' }] };
  const chat = chatOf({ input: 'x', tools, tool_choice: choice });

  expect(chat.tool_choice).toBe('required');
  expect(chat.tools.map((tool: Json) => tool.function.name)).toEqual(['c', 'shell']);
});

test.each([
  [{ tools: [{ type: 'web_search' }] }, ['body', 'tools', 0, 'type']],
  [{ tools: [functionTool('f')], tool_choice: { type: 'file_search' } }, ['body', 'tool_choice', 'type']],
])('tools of a provider alone, or chosen, are refused: %j (spec 29.9)', (fields, loc) => {
  expect(() => translate({ input: 'x', ...fields })).toThrow(
    expect.objectContaining({ items: [expect.objectContaining({ loc, type: 'unsupported_value' })] }),
  );
});
