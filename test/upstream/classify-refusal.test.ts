import { classifyRefusal } from '../../src/upstream/classify-refusal.ts';

const error = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

test.each<[string, unknown]>([
  ['OpenAI, by its code', error('too long', { code: 'context_length_exceeded' })],
  ['LiteLLM, by its exception', error('litellm.ContextWindowExceededError: OpenAIException - no', { code: '400' })],
  ['llama.cpp, by its type', error('no', { code: 400, type: 'exceed_context_size_error' })],
  ['OpenAI, by its words', error("This model's maximum context length is 8192 tokens.")],
  ['Anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 2 > 1' } }],
  ['Anthropic, with its answer', error('input length and `max_tokens` exceed context limit: 9 + 9 > 9')],
  ['Bedrock', { message: 'Input is too long for requested model.' }],
  ['Gemini', error('The input token count (9) exceeds the maximum number of tokens allowed (8).')],
  ['Groq', error('Please reduce the length of the messages or completion.')],
  ['xAI', { code: 'x', error: "This model's maximum prompt length is 131072 but the request contains more." }],
  ['TGI', { error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096' }],
  ['vLLM', { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 400 }],
  ['SGLang', { detail: "The input (9 tokens) is longer than the model's context length (8 tokens)." }],
  ['FastAPI', { detail: [{ loc: ['body'], msg: 'prompt is too long' }] }],
  ['plain text', 'prompt is too long'],
])('too long a prompt is recognized in the dialect of %s', (_, body) => {
  expect(classifyRefusal(body)).toBe('context_length');
});

test.each<[string, unknown]>([
  ['OpenAI, by its code', error('no', { code: 'content_policy_violation' })],
  ['LiteLLM, by its exception', error('litellm.ContentPolicyViolationError: no')],
  ['Azure, by its inner error', error('no', { innererror: { code: 'ResponsibleAIPolicyViolation' } })],
  ['Azure, by its words', error("triggering Azure OpenAI's content management policy")],
  ['DashScope', { code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' }],
  ['OpenRouter', error('Your chosen model requires moderation and your input was flagged', { code: 403 })],
  ['a guardrail of LiteLLM', error('Violated guardrail policy', { code: '400' })],
  ['the moderation of LiteLLM', error('Violated OpenAI moderation policy', { code: '400' })],
  ['OpenAI, by its words', error('Your request was rejected as a result of our safety system.')],
])('a violation of a policy is recognized in the dialect of %s', (_, body) => {
  expect(classifyRefusal(body)).toBe('content_policy');
});

test.each<[string, unknown]>([
  ['another mistake', error('top_p must be at most 1')],
  ['a limit of the answer', error('max_tokens is too large: 100000. At most 16384 completion tokens are supported')],
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['an object without texts', { error: { code: 400 } }],
  ['texts in other fields', { prompt: 'prompt is too long', error: { input: 'content policy' } }],
])('%s is classified neither as a prompt that is too long nor as a policy violation', (_, body) => {
  expect(classifyRefusal(body)).toBeUndefined();
});

test('an error object that contains itself is read to a bounded depth and not classified', () => {
  const body: { error?: unknown } = {};
  body.error = body;

  expect(classifyRefusal(body)).toBeUndefined();
});
