import { delta, finish, rawAnswersForTests, toStream, usage } from './raw-answers.ts';

const { upstream, request, stream, answerWith, streamWith } = rawAnswersForTests();

test.each([
  ['that is complete', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }, [7, 3, 10]],
  ['without a total', { prompt_tokens: 7, completion_tokens: 3 }, [7, 3, 10]],
  ['with a total of 0', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 0 }, [7, 3, 10]],
  ['with a total that is not a number', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 'ten' }, [7, 3, 10]],
  ['with fractions', { prompt_tokens: 7.4, completion_tokens: 2.6 }, [7, 3, 10]],
  ['larger than a column can store', { prompt_tokens: 3e9, completion_tokens: 3, total_tokens: 3e9 }, [0, 3, 3]],
  ['that is negative', { prompt_tokens: -7, completion_tokens: 3, total_tokens: -4 }, [0, 3, 3]],
  ['that is null', null, [0, 0, 0]],
])(
  'usage %s gives the recorded token counts (spec 4.10)',
  async (_, given, [promptTokens, completionTokens, totalTokens]) => {
    answerWith({ choices: [{ message: { content: 'hi' } }], usage: given });

    const { answer, error } = await request();

    expect(error).toBeUndefined();
    expect(answer.usage).toEqual({ promptTokens, completionTokens, totalTokens });
  },
);

test.each([
  ['not included in the completion tokens, as the total shows, are added', 9, 94, 135, 103],
  ['included in the completion tokens are not added', 103, 94, 135, 103],
  ['not included in the total are not added', 9, 94, 41, 9],
])('reasoning tokens that are %s', async (_, completion_tokens, reasoning_tokens, total_tokens, expected) => {
  const given = { prompt_tokens: 32, completion_tokens, total_tokens, completion_tokens_details: { reasoning_tokens } };
  answerWith({ choices: [{ message: { content: 'hi' } }], usage: given });

  const { answer } = await request();

  const [completionTokens, reasoningTokens] = [expected, reasoning_tokens];
  expect(answer.usage).toEqual({ promptTokens: 32, completionTokens, totalTokens: total_tokens, reasoningTokens });
});

test.each([
  ["LiteLLM's form", { prompt_tokens_details: { cached_tokens: 60, cache_creation_tokens: 30 } }, 60, 30],
  ["Anthropic's names", { cache_read_input_tokens: 60, cache_creation_input_tokens: 30 }, 60, 30],
  [
    'both',
    { prompt_tokens_details: { cached_tokens: 60 }, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 },
    60,
    30,
  ],
  ["OpenRouter's form", { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } }, 60, 30],
  ['null', { prompt_tokens_details: { cached_tokens: null, cache_creation_tokens: null } }, undefined, undefined],
  ['texts', { cache_read_input_tokens: 'many', cache_creation_input_tokens: 'many' }, undefined, undefined],
])('tokens read from and written to the cache are recorded from %s (spec 30.8)', async (_, given, cached, written) => {
  const tokens = { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 };
  answerWith({ choices: [{ message: { content: 'hi' } }], usage: { ...tokens, ...given } });

  const { answer } = await request();

  expect(answer.usage).toEqual({
    ...{ promptTokens: 100, completionTokens: 3, totalTokens: 103 },
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
  });
});

test('the usage of a stream is read from its choice if it is sent there', async () => {
  streamWith(delta({ content: 'hi' }), { choices: [{ delta: {}, finish_reason: 'stop', usage: usage.usage }] });

  const { answer } = await stream();

  expect(answer).toMatchObject({ usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
});

test.each([
  ['a number', 0.25, '0.25'],
  ['a number with an exponent', 1.4e-5, '0.000014'],
  ['a decimal as text', '0.25', '0.25'],
  ['null', null, undefined],
  ['negative', -1, undefined],
  ['a text that is no number', 'free', undefined],
  ['an object', { usd: 1 }, undefined],
  ['implausibly high', 1e12, undefined],
])('a reported cost that is %s is recorded as an exact decimal or not at all (spec 4.5)', async (_, cost, expected) => {
  streamWith(delta({ content: 'hi' }), finish, {
    choices: [],
    usage: { prompt_tokens: 1, completion_tokens: 1, cost },
  });

  const { answer, error } = await stream();

  expect(error).toBeUndefined();
  expect(answer.reportedCostUsd).toBe(expected);
});

test.each([
  ['0.5', 0.25, '0.5', '0.25'],
  ['0', 0.25, '0', '0.25'],
  ['free', 0.25, '0.25', '0.25'],
  ['0.5', undefined, '0.5', '0.5'],
  ['0.0', undefined, '0', undefined],
  ['0.5', 0, '0.5', '0'],
])(
  'with a cost of %s in the header and %s in the body, %s is recorded, and %s of a stream (spec 4.5)',
  async (inHeader, inBody, ofBody, ofStream) => {
    const headers = { 'x-litellm-response-cost': inHeader };
    const cost = inBody === undefined ? {} : { cost: inBody };
    const used = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, ...cost };
    const whole = { choices: [{ message: { content: 'hi' } }], usage: used };
    const streamed = toStream(delta({ content: 'hi' }), finish, { choices: [], usage: used });

    upstream.answer = (response) => response.writeHead(200, headers).end(JSON.stringify(whole));
    expect((await request()).answer.reportedCostUsd).toBe(ofBody);
    expect((await stream()).answer.reportedCostUsd).toBe(ofStream);
    upstream.answer = (response) => response.writeHead(200, headers).end(streamed);
    expect((await request()).answer.reportedCostUsd).toBe(ofStream);
    expect((await stream()).answer.reportedCostUsd).toBe(ofStream);
  },
);

test.each([true, false])(
  'a response without an answer or with an error has its tokens and cost recorded (streamed: %p)',
  async (streamed) => {
    const { usage: used } = usage;
    for (const useless of [{ choices: [] }, { error: { message: 'no' } }]) {
      if (streamed) streamWith({ ...useless, usage: used });
      else answerWith({ ...useless, usage: used });

      const { answer, error } = await request({ streamed });

      expect(error?.mayFallBack).toBe(true);
      expect(answer).toMatchObject({ usage: { totalTokens: 10 }, reportedCostUsd: '0.25' });
    }
  },
);

test('an empty usage at the end of a stream does not replace an earlier usage', async () => {
  streamWith(delta({ content: 'hi' }), finish, usage, { choices: [], usage: {} });

  expect((await stream()).answer.usage).toEqual({ promptTokens: 7, completionTokens: 3, totalTokens: 10 });
});
