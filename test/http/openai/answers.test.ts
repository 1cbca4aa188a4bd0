import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';
import { chatWith, joined, readChunks } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const choiceOf = (answer: Answer) => {
  const { message, finish_reason } = expectOk(answer).choices[0];
  return { message, finish_reason };
};

/** A plain answer and a stream, each of them twice with its Idempotency-Key. All have the same message. */
async function answersOf(model: string, fields: object = {}) {
  const team = await given.team({ models: [`${model}-as-${unique('form')}`] });
  const chat = chatWith(gateway, team);
  const [plainKey, streamKey] = [{ 'idempotency-key': unique('key') }, { 'idempotency-key': unique('key') }];
  const plain = await chat({ ...fields }, plainKey);
  const replay = await chat({ ...fields }, plainKey);
  const stream = await chat({ ...fields, stream: true }, streamKey);
  const streamReplay = await chat({ ...fields, stream: true }, streamKey);
  expect(replay.body).toEqual(plain.body);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(streamReplay.headers.get('idempotent-replayed')).toBe('true');
  expect(joined(streamReplay)).toEqual(joined(stream));
  return { plain, stream, streamReplay, choice: choiceOf(plain), streamed: joined(stream) };
}

const ids = /call_[\da-f]+/g;
/** Ids of ours are made from the id of the call, which differs between two calls. */
const withoutIds = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(ids, 'call_id'));

const weather = { type: 'function', function: { name: 'get_weather', arguments: expect.stringMatching(/^\{.*\}$/) } };

test.each<[string, object]>([
  ['sim-ok', { content: expect.stringMatching(/\w/), refusal: null }],
  ['sim-reasoning', { content: expect.stringMatching(/\w/), reasoning_content: expect.stringMatching(/^Let me/) }],
  [
    'sim-reasoning-content',
    { content: expect.stringMatching(/\w/), reasoning_content: expect.stringMatching(/^Let me/) },
  ],
  ['sim-refusal', { content: null, refusal: 'I cannot say that.' }],
  ['sim-empty', { content: '' }],
  ['sim-null-content', { content: '' }],
  ['sim-null-bytes', { content: expect.stringContaining('\0') }],
  ['sim-lone-surrogate', { content: expect.stringContaining('\ufffd') }],
  [
    'sim-annotated',
    {
      annotations: [
        {
          type: 'url_citation',
          url_citation: { url: 'https://rivers.example/po', title: 'The Po', start_index: 0, end_index: 4 },
        },
      ],
    },
  ],
])('the message of %s is the same plain, streamed and repeated (spec 17.17)', async (model, expected) => {
  const { choice, streamed } = await answersOf(model);

  expect(choice).toMatchObject({ message: { role: 'assistant', ...expected }, finish_reason: 'stop' });
  expect(streamed).toEqual(choice);
});

test.each<[string, object[]]>([
  ['sim-tools', [{ ...weather, id: expect.stringMatching(/^call_/) }]],
  ['sim-reasoning-tools', [{ ...weather, id: expect.stringMatching(/^call_/) }]],
  ['sim-no-tool-ids-tools', [{ ...weather, id: expect.stringMatching(/^call_[\da-f]{33}$/) }]],
  ['sim-long-tool-ids-tools', [{ ...weather, id: expect.stringMatching(/^call_[\da-f]{33}$/) }]],
  ['sim-repeated-tool-pieces-tools', [{ ...weather, id: expect.stringMatching(/^call_[\da-f]{24}$/) }]],
  ['sim-no-arguments-tools', [{ type: 'function', function: { name: 'get_weather', arguments: '{}' } }]],
  ['sim-two-tools', [weather, weather]],
  ['sim-two-tools-zero-index', [weather, weather]],
  ['sim-two-tools-no-tool-ids', [weather, weather]],
])('the tool calls of %s are the same plain, streamed and repeated (spec 17.18)', async (model, expected) => {
  const { choice, streamed } = await answersOf(model);

  expect(choice).toMatchObject({ message: { content: null, tool_calls: expected }, finish_reason: 'tool_calls' });
  expect(withoutIds(streamed)).toEqual(withoutIds(choice));
  const made = choice.message.tool_calls.map(({ id }: { id: string }) => id);
  expect(new Set(made).size).toBe(made.length);
});

test('a tool call whose id comes after its first piece has an id of the gateway, in the stream and its repetition (spec 17.18)', async () => {
  const { streamed } = await answersOf('sim-late-tool-ids-tools');

  expect(streamed.message.tool_calls).toMatchObject([{ ...weather, id: expect.stringMatching(/^call_[\da-f]{33}$/) }]);
});

test('text and tool calls of several choices are one answer', async () => {
  const { choice, streamed } = await answersOf('sim-split-choices');

  expect(choice).toMatchObject({ message: { content: expect.stringMatching(/\w/), tool_calls: [weather] } });
  expect(withoutIds(streamed)).toEqual(withoutIds(choice));
});

test('an answer with a function call has a function_call and no tool calls, with its finish reason', async () => {
  const { choice, streamed } = await answersOf('sim-function-call', { functions: [{ name: 'get_weather' }] });

  expect(choice).toMatchObject({
    message: { content: null, function_call: { name: 'get_weather', arguments: expect.stringMatching(/^\{/) } },
    finish_reason: 'function_call',
  });
  expect(choice.message).not.toHaveProperty('tool_calls');
  expect(streamed).toEqual(choice);
});

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['model_length', 'length'],
  ['SAFETY', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['refusal', 'content_filter'],
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['end_turn', 'stop'],
  ['eos_token', 'stop'],
  ['empty', 'stop'],
  ['leaked_reason', 'stop'],
])('the finish reason %s of an upstream is %s (spec 17.18)', async (reason, expected) => {
  const { choice, streamed } = await answersOf(`sim-finish-${reason}`);

  expect([choice.finish_reason, streamed.finish_reason]).toEqual([expected, expected]);
});

test.each([
  ['stop', 'tool_calls'],
  ['eos_token', 'tool_calls'],
  ['empty', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['length', 'length'],
])('with tool calls the finish reason %s is %s (spec 17.18)', async (reason, expected) => {
  const { choice, streamed } = await answersOf(`sim-tools-finish-${reason}`);

  expect([choice.finish_reason, streamed.finish_reason]).toEqual([expected, expected]);
});

test.each(['sim-finish-error', 'sim-finish-abort'])(
  'an answer of %s is a failed call (spec 4.17, spec 17.18)',
  async (model) => {
    const team = await given.team({ models: [model] });

    const plain = await chatWith(gateway, team)();
    const stream = await chatWith(gateway, team)({ stream: true });

    expect([plain.status, plain.body.error.code]).toEqual([502, 'upstream_error']);
    expect(readChunks(stream).at(-1).error.code).toBe('upstream_error');
  },
);

test.each([
  ['crlf', 'split-frames', 'comments'],
  ['no-newline', 'json-body', 'events'],
])('the text is the same in the framings %s, %s and %s', async (...framings) => {
  for (const framing of framings) {
    const { choice, streamed } = await answersOf(`sim-unicode-${framing}`);

    expect(choice.message.content).toContain('你好 👩‍👩‍👧‍👦');
    expect(streamed).toEqual(choice);
  }
});

test('cached and reasoning tokens are passed on, also in a repetition (spec 17.17)', async () => {
  const { plain, streamReplay } = await answersOf('sim-cached-5-tokens-7-prompt-tokens-11', {
    stream_options: { include_usage: true },
  });

  const details = {
    prompt_tokens: 11,
    completion_tokens: 7,
    total_tokens: 18,
    prompt_tokens_details: { cached_tokens: 5 },
  };
  expect(plain.body.usage).toEqual(details);
  expect(readChunks(streamReplay).at(-1).usage).toEqual({
    ...details,
    completion_tokens_details: { reasoning_tokens: 0 },
  });
});

test.each([false, true])(
  'nothing shows which model, provider or account answers (streamed: %p) (spec 17.21)',
  async (stream) => {
    const words = ['sim-leaks', 'leaks-reasoning', 'leaks-tools', 'leaks-refusal', 'leaks-annotated'];
    for (const word of words) {
      const team = await given.team({ models: [`${word.replace(/^leaks/, 'sim-leaks')}-reports-leaked-model`] });

      const answer = await chatWith(gateway, team)({ stream });

      expect(answer.status).toBe(200);
      const shown = JSON.stringify([...answer.headers]) + answer.text;
      for (const secret of ['leaked', 'litellm', 'sim-', 'fingerprint', 'service_tier', 'openai-', 'is_byok'])
        expect(shown).not.toContain(secret);
    }
  },
);

test('an error after the first tokens is one event before [DONE], and the job is failed and free (spec 17.20)', async () => {
  const team = await given.team({ models: ['sim-error-in-stream-2'], credits: 5 });

  const answer = await chatWith(gateway, team)({ stream: true });

  const chunks = readChunks(answer);
  expect(chunks.slice(0, -1).every(({ choices }) => choices[0].finish_reason === null)).toBe(true);
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.at(-1)).toEqual({
    error: {
      message: 'The call failed: the upstream answered with status 500',
      type: 'server_error',
      code: 'upstream_error',
      param: null,
    },
  });
  const { rows } = await gateway.current.deps.database.pool.query(
    'select status, credit_applied from jobs where job_id = $1',
    [answer.headers.get('x-job-id')],
  );
  expect(rows).toEqual([{ status: 'failed', credit_applied: false }]);
});

test('reasoning that is not shown does not prevent a fallback of the endpoints under /api', async () => {
  const team = await given.team({ models: ['sim-reasoning-error-in-stream-2', 'sim-ok'] });
  const body = {
    team_id: team.teamId,
    job_type: 'a',
    model: team.modelGroup,
    messages: [{ role: 'user', content: 'a' }],
  };

  const answer = await sendRequest(gateway.current.url, 'post', '/api/jobs/create-and-call-stream', {
    key: team.key,
    body,
  });

  expect(answer.text).not.toMatch(/reasoning|error/);
  expect(answer.text).toContain('"finish_reason":"stop"');
});
