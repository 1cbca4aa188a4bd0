import { delta, finish, rawAnswersForTests, usage } from './raw-answers.ts';
import { textOf } from './request-once.ts';

const { upstream, request, stream, answerWith, streamWith } = rawAnswersForTests();

const tooLong = "the prompt is longer than the model's context";

test.each([
  ['a code that is a transient status', { code: '429' }, 'the upstream is rate limited', true],
  ['a code that is a permanent status', { code: 400 }, 'the upstream rejected the request', false],
  ['a code that is no status', { code: 'server_busy' }, 'the upstream reported an error', true],
  ['the code of a prompt that is too long', { code: 'context_length_exceeded' }, tooLong, true],
  ['no code', 'overloaded', 'the upstream reported an error', true],
])('an error with %s in a response with status 200 fails the request', async (_, error, message, mayFallBack) => {
  answerWith({ error });
  expect((await request()).error).toMatchObject({ message, mayFallBack });

  streamWith({ error });
  expect((await stream()).error).toMatchObject({ message, mayFallBack });
});

test.each([
  ['a string', 'hello'],
  ['null', null],
  ['no field of a completion', {}],
  ['no choice', { choices: [] }],
  ['choices of another type', { choices: 'none' }],
  ['no message', { choices: [{ finish_reason: 'stop' }] }],
  ['content of another type', { choices: [{ message: { content: { text: 'hi' } } }] }],
])('a response whose body has %s is unreadable', async (_, json) => {
  answerWith(json);

  expect((await request()).error).toMatchObject({
    message: 'the upstream sent an unreadable answer',
    mayFallBack: true,
  });
});

test.each([true, false])(
  'a model or usage of another type does not fail a response (streamed: %p)',
  async (streamed) => {
    const message = { content: 'hi' };
    const odd = { model: 7, usage: 'n/a' };
    if (streamed) streamWith(delta(message), { ...finish, ...odd });
    else answerWith({ choices: [{ message, finish_reason: 'stop' }], ...odd });

    const { answer, error } = await request({ streamed });

    expect(error).toBeUndefined();
    expect(answer).toMatchObject({ message, modelUsed: undefined, usage: { totalTokens: 0 } });
  },
);

test.each(['error', 'abort', 'insufficient_system_resource'])(
  'an answer with the finish reason %s has failed, and has its tokens and cost recorded (spec 4.17)',
  async (reason) => {
    const ended = { choices: [{ delta: {}, finish_reason: reason }] };
    for (const streamed of [true, false]) {
      if (streamed) streamWith(delta({ content: 'half' }), ended, usage);
      else answerWith({ choices: [{ message: { content: 'half' }, finish_reason: reason }], usage: usage.usage });

      const { answer, error } = await request({ streamed });

      expect(error).toMatchObject({ message: 'the upstream could not finish its answer', mayFallBack: true });
      expect(answer).toMatchObject({ usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
    }
  },
);

test.each([true, false])('an error in the choice fails the request (streamed: %p)', async (streamed) => {
  const failed = { finish_reason: 'error', error: { code: 502, message: 'no' } };
  if (streamed) streamWith({ choices: [{ ...failed, delta: {} }] });
  else answerWith({ choices: [{ ...failed, message: { content: '' } }] });

  const { error } = await request({ streamed });

  expect(error).toMatchObject({ message: 'the upstream answered with status 502', mayFallBack: true });
});

test('content that is sent in parts is joined', async () => {
  const content = [
    { type: 'text', text: 'one ' },
    { type: 'thinking', thinking: [] },
    { type: 'text', text: 'two' },
  ];
  answerWith({ choices: [{ message: { content }, finish_reason: 'stop' }] });

  expect((await request()).answer.message.content).toBe('one two');
});

test('content that is sent as a number is converted to text', async () => {
  streamWith(delta({ content: '[' }), delta({ content: 1 }), delta({ content: ']' }), finish);

  const { answer, deltas, error } = await stream();

  expect([error, textOf(deltas), answer.message.content]).toEqual([undefined, '[1]', '[1]']);
});

test('a response with status 201 is successful', async () => {
  answerWith({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }, 201);

  expect((await request()).answer.message.content).toBe('hi');
});

test('a byte order mark before the body of a response is ignored', async () => {
  upstream.answer = (response) => response.end('\ufeff{"choices":[{"message":{"content":"hi"}}]}');

  expect((await request()).answer.message.content).toBe('hi');
});

test.each(['{"valueOf":1,"toString":1}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'true'])(
  'an error whose code is neither a number nor text is transient',
  async (code) => {
    upstream.answer = (response) => response.end(`{"error":{"message":"no","code":${code}}}`);

    expect((await request()).error).toMatchObject({ message: 'the upstream reported an error', mayFallBack: true });
  },
);
