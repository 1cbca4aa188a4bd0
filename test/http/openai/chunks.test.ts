import { ChatChunks } from '../../../src/http/openai/chunks.ts';

const naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'smart', created: 1 };
const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
const end = { status: 'succeeded' as const, finishReason: 'stop', usage, latencyMs: 0 };
const deltaOf = (chunk: string) => JSON.parse(chunk).choices[0].delta;

test('the halves of a surrogate pair in two deltas come in one chunk', () => {
  const chunks = new ChatChunks(naming, false);

  const deltas = [{ content: 'a\ud83d' }, { content: '\ude00b' }, { content: '\ud83d' }].map((one) =>
    chunks.delta(one),
  );

  expect(deltas.map(deltaOf)).toEqual([{ role: 'assistant', content: 'a' }, { content: '😀b' }, { content: '' }]);
  expect(chunks.end(end).map(deltaOf)).toEqual([{ content: '\ufffd' }, {}]);
});

test('several pieces of one tool call in a delta are one piece of a chunk', () => {
  const chunks = new ChatChunks(naming, false);
  const call = { index: 0, id: 'a', type: 'function' as const, function: { name: 'f', arguments: '' } };

  const chunk = chunks.delta({
    tool_calls: [
      call,
      { index: 0, function: { arguments: '{"x"' } },
      { index: 1, id: 'b', function: { name: 'g', arguments: '{}' } },
      { index: 0, function: { arguments: ':1}' } },
    ],
  });

  expect(deltaOf(chunk)).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
    ],
  });
});

test('a stream without any delta has a first chunk with the role', () => {
  const deltas = new ChatChunks(naming, false).end(end).map(deltaOf);

  expect(deltas).toEqual([{ role: 'assistant', content: '' }, {}]);
});

test('a refusal at the beginning has no content', () => {
  expect(deltaOf(new ChatChunks(naming, false).delta({ refusal: 'No.' }))).toEqual({
    role: 'assistant',
    content: null,
    refusal: 'No.',
  });
});

test('reasoning at the beginning has no content: a client reads the content, or else the reasoning (spec 17.20)', () => {
  const chunks = new ChatChunks(naming, false);

  const deltas = [{ reasoning_content: 'Hm.' }, { content: 'Yes' }].map((one) => deltaOf(chunks.delta(one)));

  expect(deltas).toEqual([{ role: 'assistant', content: null, reasoning_content: 'Hm.' }, { content: 'Yes' }]);
});
