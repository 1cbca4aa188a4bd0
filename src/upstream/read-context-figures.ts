import type { ContextFigures } from '../domain/context-figures.ts';

/** A longer error is read up to here. */
const maxCharacters = 65_536;
/** No model has so long a context. */
const maxTokens = 1_000_000_000;

/** `#` is a figure, perhaps with commas between thousands. */
const pattern = (source: string): RegExp => new RegExp(source.replaceAll('#', '(\\d[\\d,]{0,14})(?![\\d,])'));

/** In lower case, by whose words they are. The first that is found counts. */
const patterns: Record<keyof ContextFigures, readonly RegExp[]> = {
  prompt: [
    // Anthropic, also by Bedrock and Vertex.
    'prompt is too long: # tokens',
    'context limit: # \\+',
    // OpenAI and Azure.
    'resulted in # tokens',
    // vLLM.
    '(?:has|contains|passed|least) # input tokens',
    '\\(length #\\) is longer',
    // SGLang.
    '# tokens from the input messages',
    // Together, Poolside and others.
    'input \\(# tokens\\)',
    'input length \\(?#\\)? exceeds',
    // llama.cpp, in a field and in its words.
    'n_prompt_tokens\\W{1,9}#',
    'request \\(# tokens\\)',
    // Gemini, and GitHub Copilot.
    'token count(?:: | is | of | )\\(?#',
    // Mistral, and xAI.
    '(?:prompt|request) contains # tokens',
    // TGI.
    'given: #',
    // LM Studio.
    'keep the first # tokens',
  ].map(pattern),
  answer: [
    'context limit: \\d[\\d,]{0,14} \\+ #',
    'requested # output tokens',
    '#(?:\\.0)? tokens for the completion',
    "max_completion_tokens'? is too large: #",
    'and # `max_new_tokens`',
  ].map(pattern),
  limit: [
    'tokens > # maximum',
    'context limit: \\d[\\d,]{0,14} \\+ \\d[\\d,]{0,14} > #',
    'n_ctx\\W{1,9}#',
    'with # maximum context length',
    'max input tokens: #',
    'only supports up to #',
    'must (?:be <=|have less than) #',
    // The others name it after one of these.
    '(?:context length|model length|prompt length|allowed input length|context size|tokens allowed|limit)(?: is| of)?(?: only)? \\(?#',
  ].map(pattern),
};

/** OpenAI and OpenRouter list the parts of the total: `(3703 in the messages, 500 in the completion)`. */
const list = /\((\d+ (?:in|of) [^()]{1,200}|\d+ in your prompt[^()]{1,200})\)/;
const part = /(\d{1,12}) (?:in|of|for) ([a-z ]{1,40})/g;
const isOfAnswer = /completion|output/;

const toTokens = (digits: string | undefined): number | undefined => {
  const tokens = Number(digits?.replaceAll(',', '') || Number.NaN);
  return Number.isInteger(tokens) && tokens >= 0 && tokens <= maxTokens ? tokens : undefined;
};

function readList(text: string): ContextFigures {
  const parts = [...(list.exec(text)?.[1] ?? '').matchAll(part)].map(([, tokens, of]) => ({
    tokens: toTokens(tokens) ?? 0,
    isAnswer: isOfAnswer.test(of!),
  }));
  const sum = (isAnswer: boolean) => {
    const own = parts.filter((one) => one.isAnswer === isAnswer);
    return own.length > 0 ? own.reduce((total, { tokens }) => total + tokens, 0) : undefined;
  };
  return withoutUnknown({ prompt: sum(false), answer: sum(true) });
}

const withoutUnknown = (figures: { [Name in keyof ContextFigures]: number | undefined }): ContextFigures =>
  Object.fromEntries(Object.entries(figures).filter(([, tokens]) => tokens !== undefined));

/** The figures in the refusal of a prompt that is too long. Nothing else of its words is read. `spec 28.12` */
export function readContextFigures(error: unknown): ContextFigures {
  const text = (JSON.stringify(error) ?? '').slice(0, maxCharacters).toLowerCase();
  const find = (name: keyof ContextFigures) => {
    const found = patterns[name].find((one) => one.test(text));
    return toTokens(found?.exec(text)?.[1]);
  };
  return {
    ...withoutUnknown({ prompt: find('prompt'), answer: find('answer'), limit: find('limit') }),
    ...readList(text),
  };
}
