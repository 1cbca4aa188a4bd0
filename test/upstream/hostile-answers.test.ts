import { delta, event, finish, rawAnswersForTests, usage } from './raw-answers.ts';
import { requestOnce, textOf } from './request-once.ts';

const { upstream, answerWith, request, stream, streamWith } = rawAnswersForTests();

const whole = () => requestOnce(upstream.url, 'a-model', { parts: 'all', streamed: true });
const call = (index: number) => ({ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } });
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test('of many choices in one chunk the first eight count, and the answer is complete', async () => {
  const choices = Array.from({ length: 16_000 }, (_, index) => ({
    index,
    delta: { content: 'a', tool_calls: [{ index: 0, function: { arguments: '' } }] },
  }));
  streamWith({ choices }, finish, usage);

  const { answer, error } = await stream();

  expect(error).toBeUndefined();
  expect(answer).toMatchObject({ message: { content: 'a'.repeat(8) }, usage: { totalTokens: 10 } });
  expect(answer.message.toolCalls).toHaveLength(1);
});

test('the pieces of a text that each come in a choice of its own are one text', async () => {
  const pieces = Array.from({ length: 3_000 }, (_, index) => ({ choices: [{ index, delta: { content: 'ab' } }] }));
  streamWith(...pieces, finish);

  expect(textOf((await stream()).deltas)).toBe('ab'.repeat(3_000));
});

test('the pieces of a tool call that each come in a choice of its own are one tool call', async () => {
  const piece = (index: number, one: object) => ({ choices: [{ index, delta: { tool_calls: one } }] });
  const rest = Array.from({ length: 3_000 }, (_, index) =>
    piece(index + 1, { index: 0, function: { arguments: 'x' } }),
  );
  streamWith(piece(0, { index: 0, id: 'a', function: { name: 'f', arguments: '' } }), ...rest, finish);

  expect((await stream()).answer.message.toolCalls).toEqual([
    { id: 'a', type: 'function', function: { name: 'f', arguments: 'x'.repeat(3_000) } },
  ]);
});

test.each([
  ['tool calls in one message', delta({ tool_calls: Array.from({ length: 129 }, (_, index) => call(index)) })],
  ['pieces of tool calls in one chunk', delta({ tool_calls: Array.from({ length: 5_000 }, () => call(0)) })],
  ['parts of a text', delta({ content: Array.from({ length: 5_000 }, () => 'a') })],
])('an answer with too many %s is unreadable, and its usage counts', async (_, chunk) => {
  streamWith(chunk, finish, usage);

  const { answer, error } = await stream();

  expect(error?.message).toBe('the upstream sent an unreadable answer');
  expect(answer.usage.totalTokens).toBe(10);
});

test('of many sources the first 1,024 are passed on, also when each comes in a chunk of its own', async () => {
  const source = { type: 'url_citation', url_citation: { url: 'https://rivers.example' } };
  const chunks = Array.from({ length: 2_000 }, () => delta({ annotations: [source] }));
  streamWith(...chunks, delta({ content: 'hi', annotations: Array.from({ length: 2_000 }, () => source) }), finish);

  const { answer, deltas, error } = await whole();

  expect(error).toBeUndefined();
  expect(answer.message).toMatchObject({ content: 'hi' });
  expect(answer.message.annotations).toHaveLength(1_024);
  expect(deltas.flatMap(({ annotations = [] }) => annotations)).toHaveLength(1_024);
});

test('a source with an address of a megabyte is left out', async () => {
  const source = (url: string) => ({ type: 'url_citation', url_citation: { url } });
  streamWith(delta({ content: 'hi', annotations: [source('x'.repeat(1_000_000)), source('y')] }), finish);

  expect((await whole()).answer.message.annotations).toEqual([source('y')]);
});

test('finish reasons that alternate in every chunk end the answer with the one that takes precedence', async () => {
  const reason = (finish_reason: string) => ({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason }] });
  const chunks = Array.from({ length: 2_000 }, (_, index) => reason(`reason ${index}`));
  streamWith(reason('length'), ...chunks, reason('stop'));

  expect((await stream()).answer.finishReason).toBe('length');
});

test('arguments that are nested too deeply to be written as JSON make the answer unreadable and not the call fail', async () => {
  const deep = nested(100_000);
  upstream.answer = (response) =>
    response
      .writeHead(200)
      .end(`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":${deep}}}]}}]}\n\n`);

  expect((await stream()).error?.message).toBe('the upstream sent an unreadable answer');
});

test('a message that repeats the whole text in each chunk is kept once, however often it comes', async () => {
  const text = 'a'.repeat(10_000);
  const message = { choices: [{ index: 0, message: { content: text } }] };
  streamWith(...Array.from({ length: 200 }, () => message), finish);

  expect((await stream()).answer.message.content).toBe(text);
});

test('an event with 20,000 lines of data without blank lines between them is as many chunks', async () => {
  const lines = Array.from({ length: 20_000 }, () => `data: ${JSON.stringify(delta({ content: 'a' }))}\n`);
  upstream.answer = (response) => response.writeHead(200).end(`${lines.join('')}${event(finish)}data: [DONE]\n\n`);

  expect((await stream()).answer.message.content).toBe('a'.repeat(20_000));
});

test('a body of several completions, one a line, is read like a stream', async () => {
  upstream.answer = (response) =>
    response
      .writeHead(200)
      .end([delta({ content: 'a' }), delta({ content: 'b' }), finish].map((one) => JSON.stringify(one)).join('\n'));

  expect((await request()).answer.message.content).toBe('ab');
});

test('a body with a long text outside of the message is answered as usual', async () => {
  answerWith({
    choices: [{ message: { content: 'hi', images: ['x'.repeat(1_000_000)] }, finish_reason: 'stop' }],
    usage: usage.usage,
  });

  expect((await request()).answer.message.content).toBe('hi');
});

test('an answer with 100,000 content encodings is unreadable', async () => {
  upstream.answer = (response) =>
    response.writeHead(200, { 'content-encoding': 'br,'.repeat(100_000) }).end('{"choices":[]}');

  expect((await request()).error?.message).toBe('the upstream sent an unreadable answer');
});
