import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

interface ToolCall {
  index?: number;
  id?: string;
  function: { name?: string; arguments?: string };
}

/** What a client puts together from a stream: the answer, its finish reason and its usage. */
function readStream(text: string) {
  const events = readEvents(text);
  expect(events.at(-1)).toBe('[DONE]');
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
  const error = chunks.find((chunk) => chunk.error)?.error;
  if (error) return { error };
  const toolCalls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  for (const { choices } of chunks) {
    for (const { index = 0, id, function: called } of (choices[0].delta.tool_calls ?? []) as ToolCall[]) {
      toolCalls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } };
      toolCalls[index].id += id ?? '';
      toolCalls[index].function.name += called.name ?? '';
      toolCalls[index].function.arguments += called.arguments ?? '';
    }
  }
  return {
    content: chunks.map(({ choices }) => choices[0].delta.content ?? '').join(''),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    finish_reason: chunks.at(-1).choices[0].finish_reason,
    usage: chunks.at(-1).usage,
  };
}

/** The whole grammar of the simulator's forms: `tools/simulator/README.md`. Each is an ordinary answer in another form. */
const forms = [
  'whole-message',
  'growing-message',
  'message-beside',
  'one-newline',
  'no-newline',
  'json-body',
  'events',
  'events-typed-json',
  'data-comments',
  'new-usage',
  'zeros-and-new-usage',
  'gzip',
  'br',
  'deflate',
  'zstd',
  'gzip-json-body',
  'gzip-events',
  'zero-cost-header',
  'finish-first',
  'large-headers',
  'many-headers',
];
const used = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const figures = 'tokens-7-prompt-tokens-11-cost-250000';

/** Both kinds of calls, each of them twice with its Idempotency-Key, and what is recorded and charged in the end. */
async function makeCalls(model: string) {
  const team = await given.team({ models: [model], credits: 5 });
  const client = as(gateway, team);
  const keys = { stream: { 'idempotency-key': unique('key') }, whole: { 'idempotency-key': unique('key') } };
  const fields = { messages: [{ role: 'user', content: 'Tell me about rivers' }] };
  const stream = await client.singleStream(fields, keys.stream);
  const replay = await client.singleStream(fields, keys.stream);
  const whole = await client.single(fields, keys.whole);
  const wholeReplay = await client.single(fields, keys.whole);
  const { credits_remaining } = await client.credits();
  const recordOf = async (answer: { headers: Headers }) => {
    const costs = await given.admin('get', `/api/jobs/${answer.headers.get('x-job-id')}/costs`);
    return costs.breakdown[0];
  };
  const requests = gateway.current.simulator.requestsFor({ model }).length;
  const records = [await recordOf(stream), await recordOf(whole)];
  return { stream, replay, whole, wholeReplay, records, requests, charged: 5 - credits_remaining };
}

test.each(forms)(
  'of an upstream with the form %s the stream, the record and the replay have the same answer, tokens and cost (spec 4.10)',
  async (form) => {
    const made = await makeCalls(`sim-${form}-${figures}-as-${unique('form')}`);

    const live = readStream(made.stream.text);
    const { response, metadata } = expectOk(made.whole);
    expect(response).toMatchObject({ finish_reason: 'stop', content: expect.stringMatching(/\w/) });
    expect(live).toEqual({ content: response.content, finish_reason: 'stop', usage: used });
    expect(readStream(made.replay.text)).toEqual(live);
    expect(expectOk(made.wholeReplay)).toEqual(made.whole.body);
    expect(metadata.tokens_used).toBe(18);
    for (const record of made.records) {
      expect(record).toMatchObject({ ...used, cost_usd: 0.25, error: null, attempts: [{ outcome: 'succeeded' }] });
    }
    expect([made.requests, made.charged]).toEqual([2, 2]);
  },
);

test.each(['split-choices', 'split-choices-reversed', 'gzip-split-choices', 'split-choices-events'])(
  'of an upstream with the form %s the text and the tool calls of all choices arrive (spec 4.10)',
  async (form) => {
    const made = await makeCalls(`sim-${form}-${figures}-as-${unique('form')}`);

    const live = readStream(made.stream.text);
    const { response } = expectOk(made.whole);
    expect(response).toMatchObject({
      content: expect.stringMatching(/\w/),
      finish_reason: 'tool_calls',
      tool_calls: [{ id: expect.stringMatching(/^call_/), function: { name: 'get_weather' } }],
    });
    expect(live).toEqual({ ...response, usage: used });
    expect(readStream(made.replay.text)).toEqual(live);
    expect(expectOk(made.wholeReplay)).toEqual(made.whole.body);
    for (const record of made.records) expect(record).toMatchObject({ ...used, cost_usd: 0.25, error: null });
    expect([made.requests, made.charged]).toEqual([2, 2]);
  },
);

test('an answer that is not proven to be complete is an error without a charge, whose attempt has its tokens and cost (spec 4.10)', async () => {
  const made = await makeCalls(`sim-finish-first-no-done-events-${figures}-as-${unique('form')}`);

  const reason = 'LLM call failed: the upstream ended the stream without a finish reason';
  expect(readStream(made.stream.text)).toMatchObject({ error: { message: reason, code: 'call_failed' } });
  expect(made.whole).toMatchObject({ status: 500, body: { detail: reason } });
  for (const record of made.records) {
    expect(record).toMatchObject({ error: expect.any(String), attempts: [{ outcome: 'failed', cost_usd: 0.25 }] });
    expect(record.attempts[0]).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 });
  }
  expect(made.charged).toBe(0);
});

test('the price of the member counts where a stream has a cost header of 0 and its body names no cost (spec 4.10)', async () => {
  const model = `sim-zero-cost-header-alone-${figures}`;
  const group = await given.accessGroup();
  const alias = await given.alias({
    model_name: model,
    access_groups: [group],
    input_price_per_million: 1_000,
    output_price_per_million: 2_000,
  });
  const team = await given.team({ access_groups: [group] });

  const { headers, text } = await as(gateway, team).singleStream({ model: alias });

  expect(readStream(text)).toMatchObject({ usage: used });
  const { breakdown } = await given.admin('get', `/api/jobs/${headers.get('x-job-id')}/costs`);
  expect(breakdown).toMatchObject([{ cost_usd: 0.025 }]);
});
