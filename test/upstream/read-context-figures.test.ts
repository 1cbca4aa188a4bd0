import { readContextFigures } from '../../src/upstream/read-context-figures.ts';

const openAi = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

test.each<[string, unknown, object]>([
  [
    'OpenAI',
    openAi(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9041 tokens. Please reduce the length of the messages.",
    ),
    { prompt: 9_041, limit: 8_192 },
  ],
  [
    'OpenAI with the answer',
    openAi(
      "This model's maximum context length is 4097 tokens. However, you requested 4203 tokens (3703 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
    ),
    { prompt: 3_703, answer: 500, limit: 4_097 },
  ],
  [
    'OpenAI with functions',
    openAi(
      "This model's maximum context length is 4097 tokens. However, you requested 4303 tokens (3703 in the messages, 100 in the functions, and 500 in the completion).",
    ),
    { prompt: 3_803, answer: 500, limit: 4_097 },
  ],
  [
    'OpenAI for prompts',
    openAi(
      "This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10346 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.",
    ),
    { prompt: 10_346, answer: 5, limit: 8_191 },
  ],
  [
    'Azure',
    openAi('Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.'),
    { prompt: 509_178, limit: 272_000 },
  ],
  [
    'vLLM for chats',
    {
      object: 'error',
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 10000. This model's maximum context length is 8192 tokens and your request has 112 input tokens (10000 > 8192 - 112).",
    },
    { prompt: 112, answer: 10_000, limit: 8_192 },
  ],
  [
    'vLLM in 2026',
    openAi(
      "This model's maximum context length is 202752 tokens. However, you requested 64000 output tokens and your prompt contains at least 138753 input tokens, for a total of at least 202753 tokens. (parameter=input_tokens, value=138753)",
    ),
    { prompt: 138_753, answer: 64_000, limit: 202_752 },
  ],
  [
    'vLLM with a length of the model',
    openAi(
      "You passed 4 input tokens and requested 2045 output tokens. However, the model's context length is only 2048 tokens, resulting in a maximum input length of 3 tokens.",
    ),
    { prompt: 4, answer: 2_045, limit: 2_048 },
  ],
  [
    'vLLM of its engine',
    openAi('The decoder prompt (length 9041) is longer than the maximum model length of 8192.'),
    { prompt: 9_041, limit: 8_192 },
  ],
  [
    'SGLang',
    openAi(
      "Requested token count exceeds the model's maximum context length of 65536 tokens. You requested a total of 66666 tokens: 58666 tokens from the input messages and 8000 tokens for the completion.",
    ),
    { prompt: 58_666, answer: 8_000, limit: 65_536 },
  ],
  [
    'SGLang of its engine',
    { detail: "The input (516368 tokens) is longer than the model's context length (262144 tokens)." },
    { prompt: 516_368, limit: 262_144 },
  ],
  [
    'a server in front of SGLang',
    openAi("Input length (265330) exceeds model's maximum context length (262144)."),
    { prompt: 265_330, limit: 262_144 },
  ],
  [
    'Poolside',
    openAi('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
    { prompt: 131_393, limit: 131_040 },
  ],
  [
    'llama.cpp in fields',
    openAi('the request exceeds the available context size, try increasing it', {
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9_041,
      n_ctx: 8_192,
    }),
    { prompt: 9_041, limit: 8_192 },
  ],
  [
    'llama.cpp in words',
    openAi('request (67311 tokens) exceeds the available context size (65536 tokens), try increasing it'),
    { prompt: 67_311, limit: 65_536 },
  ],
  [
    'llama.cpp through a proxy that passes its JSON on as text',
    openAi(
      'litellm.ContextWindowExceededError: OpenAIException - {"error":{"code":400,"n_prompt_tokens":9041,"n_ctx":8192}}',
    ),
    { prompt: 9_041, limit: 8_192 },
  ],
  [
    'LM Studio',
    openAi(
      'Trying to keep the first 9041 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    ),
    { prompt: 9_041, limit: 4_096 },
  ],
  [
    'Anthropic',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210042 tokens > 200000 maximum' },
    },
    { prompt: 210_042, limit: 200_000 },
  ],
  [
    'Bedrock through LiteLLM, with the answer',
    openAi(
      'litellm.ContextWindowExceededError: BedrockException: Context Window Error - {"message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"}',
    ),
    { prompt: 188_240, answer: 21_333, limit: 200_000 },
  ],
  ['Bedrock without figures', { message: 'Input is too long for requested model.' }, {}],
  [
    'Gemini',
    openAi('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'),
    { prompt: 1_196_265, limit: 1_048_575 },
  ],
  [
    'Vertex',
    openAi('Unable to submit request because the input token count is 135538 but model only supports up to 131072.'),
    { prompt: 135_538, limit: 131_072 },
  ],
  [
    'xAI',
    openAi("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    { prompt: 537_812, limit: 131_072 },
  ],
  [
    'Mistral',
    openAi('Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length'),
    { prompt: 40_960, limit: 32_768 },
  ],
  [
    'GitHub Copilot',
    openAi('prompt token count of 200000 exceeds the limit of 128000'),
    { prompt: 200_000, limit: 128_000 },
  ],
  [
    'OpenRouter',
    openAi(
      "This endpoint's maximum context length is 256000 tokens. However, you requested about 424983 tokens (358454 of text input, 56529 of tool input, 10000 in the output). Please reduce the length of either one.",
    ),
    { prompt: 414_983, answer: 10_000, limit: 256_000 },
  ],
  [
    'TGI',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4031 `inputs` tokens and 200 `max_new_tokens`',
    },
    { prompt: 4_031, answer: 200, limit: 4_096 },
  ],
  [
    'a server that writes thousands with commas',
    openAi("exceeds the model's maximum context length of 65,536 tokens"),
    { limit: 65_536 },
  ],
  ['a server without figures', openAi('Please reduce the length of the messages or completion.'), {}],
  ['a figure that no model has', openAi('prompt is too long: 99999999999 tokens > 8192 maximum'), { limit: 8_192 }],
  ['nothing', undefined, {}],
])('the figures of too long a prompt are read from the words of %s (spec 28.12)', (_, body, figures) => {
  expect(readContextFigures(body)).toEqual(figures);
});

test('a refusal of 100,000 digits and brackets is read in a few milliseconds (spec 28.12)', () => {
  const hostile = [`context limit: ${'1,'.repeat(50_000)}`, `(${'1 in a'.repeat(20_000)}`, '(1 in '.repeat(20_000)];
  const startedAt = performance.now();

  for (const message of hostile) readContextFigures({ error: { message } });

  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
