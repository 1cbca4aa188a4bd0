import { readdirSync, readFileSync } from 'node:fs';
import type { AnswerParts } from '../../src/domain/call-options.ts';
import { append, type Message } from '../../src/domain/chat-message.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';
import { callId, requestOnce, textOf } from './request-once.ts';

/** Bodies in the forms that upstreams send. Each has the same usage and cost. */
const folder = new URL('./fixtures/', import.meta.url);
const upstream = rawUpstreamForTests();

/** The id of a tool call to which the upstream gave none. */
const ownId = (index: number) => `call_${callId.replaceAll('-', '')}${index}`;
const toolCall = (name: string, json: string, id = ownId(0)) => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});
const weather = toolCall('get_weather', '{"city":"Rome"}', 'call_a');

type Expected = { message: Message | { content: string; toolCalls?: unknown[] }; finishReason: string };
const text: Expected = { message: { content: 'The Po ends in a delta.' }, finishReason: 'stop' };
const tools = (...toolCalls: unknown[]): Expected => ({
  message: { content: '', toolCalls },
  finishReason: 'tool_calls',
});
const both: Expected = { message: { content: 'Let me look.', toolCalls: [weather] }, finishReason: 'tool_calls' };
const refusal: Expected = { message: { content: '', refusal: 'I cannot say that.' }, finishReason: 'stop' };
const functionCall = { ...toolCall('get_weather', '{"city":"Rome"}'), isFunctionCall: true };

const reasoned: Expected = { ...text, message: { ...text.message, reasoning_content: 'Rivers end.' } };
const source = { url: 'https://rivers.example/po', title: 'The Po', start_index: 0, end_index: 6 };
const annotated: Expected = {
  ...text,
  message: { ...text.message, annotations: [{ type: 'url_citation', url_citation: source }] },
};

const answers: Record<string, Expected> = {
  'choices-text-then-tools.sse': both,
  'choices-tools-then-text.sse': both,
  'choices-text-then-tools.body': both,
  'choices-tools-then-text.body': both,
  'choices-without-index.body': both,
  'choices-tool-indexes-collide.sse': tools(weather, toolCall('get_time', '{"zone":"CET"}', 'call_b')),
  'choice-for-each-token.sse': tools(weather),
  'message-alone.sse': text,
  'message-growing.sse': text,
  'message-beside-deltas.sse': text,
  'message-after-deltas.sse': text,
  'message-in-pieces.sse': text,
  'message-with-tool-calls-after-deltas.sse': tools(weather),
  'last-event-with-one-newline.sse': text,
  'last-event-without-newline.sse': text,
  'last-event-with-carriage-return.sse': text,
  'everything-in-the-last-event.sse': text,
  'done-cut.sse': text,
  'lines-without-blank-lines.sse': text,
  'finish-first-then-done.sse': text,
  'finish-with-last-token.sse': text,
  'finish-tool-calls-then-stop.sse': tools(weather),
  'finish-stop-without-delta.sse': text,
  'usage-after-done.sse': text,
  'pretty.body': text,
  'comments-before.body': text,
  'array-of-chunks.body': text,
  'lines-of-json.body': text,
  'comments-as-data.sse': text,
  'lines-as-data.sse': text,
  'empty-array-for-object.sse': text,
  'usage-input-output.sse': text,
  'usage-input-output.body': text,
  'usage-beside-zeros.sse': text,
  'usage-as-text.body': text,
  'usage-in-parts.sse': text,
  'usage-growing-then-zero.sse': text,
  'usage-of-groq.sse': text,
  'usage-in-second-choice.sse': text,
  'cost-as-object.body': text,
  'function-call.sse': tools(functionCall),
  'function-call.body': tools(functionCall),
  'refusal.sse': refusal,
  'refusal.body': refusal,
  'reasoning.sse': reasoned,
  'reasoning.body': reasoned,
  'reasoning-content.sse': reasoned,
  'reasoning-content.body': reasoned,
  'reasoning-twice.body': reasoned,
  'annotations.sse': annotated,
  'annotations.body': annotated,
  'tool-call-with-late-id.sse': tools({ ...weather, id: ownId(0) }),
  'finish-empty.sse': text,
  'text-of-completions.sse': text,
  'text-of-completions.body': text,
  'tool-calls-without-id.sse': tools(
    toolCall('get_weather', '{"city":"Rome"}'),
    toolCall('get_time', '{"zone":"CET"}', ownId(1)),
  ),
};

const unreadable = 'the upstream sent an unreadable answer';
const endedEarly = 'the upstream ended the stream without a finish reason';

const errors: Record<string, string> = {
  'finish-first-without-done.sse': endedEarly,
  'finish-null-as-text.sse': endedEarly,
  'unreadable-event.sse': unreadable,
  'unreadable-choices.sse': unreadable,
  'unreadable-choices.body': unreadable,
  'unknown-form.body': unreadable,
  'unknown-form.sse': endedEarly,
  'error-event.sse': 'the upstream answered with status 503',
  'error-object.body': 'the upstream answered with status 503',
  'error-then-usage.sse': 'the upstream answered with status 502',
  'no-content.sse': unreadable,
  'no-choices.sse': endedEarly,
};

const used = { usage: { promptTokens: 11, completionTokens: 7, totalTokens: 18 }, reportedCostUsd: '0.25' };
const contentTypes = ['application/json', 'text/event-stream; charset=utf-8', undefined];

/** Requests the body in both ways, with each content type. */
async function requestForms(file: string, parts: AnswerParts = 'all') {
  const body = readFileSync(new URL(file, folder));
  const outcomes = [];
  for (const contentType of contentTypes) {
    upstream.answer = (response) => {
      if (contentType) response.setHeader('content-type', contentType);
      response.end(body);
    };
    for (const streamed of [true, false])
      outcomes.push(await requestOnce(upstream.url, 'a-model', { streamed, parts }));
  }
  return outcomes;
}

test.each(Object.entries(answers))('%s is a complete answer, however it was requested', async (file, expected) => {
  for (const { answer, deltas, error } of await requestForms(file)) {
    expect(error).toBeUndefined();
    expect(answer).toMatchObject({ ...used, modelUsed: 'm-1', finishReason: expected.finishReason });
    expect(answer.message).toEqual(expected.message);
    if (deltas.length === 0) continue;
    const streamed: Message = { content: '' };
    for (const delta of deltas) append(streamed, delta);
    expect(streamed).toEqual(expected.message);
  }
});

test.each(Object.entries(answers))(
  '%s has neither reasoning nor annotations if only its text is read',
  async (file, expected) => {
    const { reasoning_content, annotations, ...message } = expected.message as Message;
    for (const { answer, deltas } of await requestForms(file, 'text')) {
      expect(answer.message).toEqual(message);
      for (const delta of deltas) expect(Object.keys(delta)).not.toContain('reasoning_content');
    }
  },
);

test.each(Object.entries(errors))('%s is an error that has its tokens and cost', async (file, message) => {
  for (const { answer, deltas, error } of await requestForms(file)) {
    expect(error).toMatchObject({ message, mayFallBack: true });
    expect(answer).toMatchObject(used);
    if (deltas.length > 0) expect(textOf(deltas)).toBe(answer.message.content);
  }
});

test('an event that is cut fails an answer that looks complete, because it may contain the usage', async () => {
  for (const { answer, error } of await requestForms('last-event-cut.sse')) {
    expect(error?.message).toBe(unreadable);
    expect(answer.usage.totalTokens).toBe(0);
  }
});

test('each recorded form is expected to be read in one way', () => {
  const expected = [...Object.keys(answers), ...Object.keys(errors), 'last-event-cut.sse'];
  expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
});
