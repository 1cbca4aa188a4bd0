import type { ContextFigures } from '../domain/context-figures.ts';

/** A longer error is read up to here. */
const maxCharacters = 65_536;
/** No model has so long a context. */
const maxTokens = 1_000_000_000;

/** In lower case, by whose words they are. The first that is found counts. */
const patterns: Record<keyof ContextFigures, readonly RegExp[]> = {
  prompt: [
    // Anthropic, also by Bedrock and Vertex.
    /prompt is too long: (\d{1,15}) tokens/,
    /context limit: (\d{1,15}) \+/,
    // OpenAI and Azure.
    /resulted in (\d{1,15}) tokens/,
    // vLLM.
    /(?:has|contains|passed|least) (\d{1,15}) input tokens/,
    /\(length (\d{1,15})\) is longer/,
    // SGLang.
    /(\d{1,15}) tokens from the input messages/,
    // Together, Poolside and others.
    /input \((\d{1,15}) tokens\)/,
    /input length \(?(\d{1,15})\)? exceeds/,
    // llama.cpp, in a field and in its words.
    /n_prompt_tokens\W{1,9}(\d{1,15})/,
    /request \((\d{1,15}) tokens\)/,
    // Gemini, and GitHub Copilot.
    /token count(?:: | is | of | )\(?(\d{1,15})/,
    // Mistral, and xAI.
    /(?:prompt|request) contains (\d{1,15}) tokens/,
    // TGI.
    /given: (\d{1,15})/,
    // LM Studio.
    /keep the first (\d{1,15}) tokens/,
  ],
  answer: [
    /context limit: \d{1,15} \+ (\d{1,15})/,
    /requested (\d{1,15}) output tokens/,
    /(\d{1,15})(?:\.0)? tokens for the completion/,
    /max_completion_tokens'? is too large: (\d{1,15})/,
    /and (\d{1,15}) `max_new_tokens`/,
  ],
  limit: [
    /tokens > (\d{1,15}) maximum/,
    /context limit: \d{1,15} \+ \d{1,15} > (\d{1,15})/,
    /n_ctx\W{1,9}(\d{1,15})/,
    /with (\d{1,15}) maximum context length/,
    /max input tokens: (\d{1,15})/,
    /only supports up to (\d{1,15})/,
    /must (?:be <=|have less than) (\d{1,15})/,
    // The others name it after one of these.
    /(?:context length|model length|prompt length|allowed input length|context size|tokens allowed|limit)(?: is| of)?(?: only)? \(?(\d{1,15})/,
  ],
};

/** Some write a comma between thousands. */
const comma = /(?<=\d),(?=\d{3})/g;

/** OpenAI and OpenRouter list the parts of the total: `(3703 in the messages, 500 in the completion)`. */
const list = /\((\d{1,12} (?:in|of) [^()]{1,200})\)/;
const part = /(\d{1,12}) (?:in|of|for) ([a-z ]{1,40})/g;
const isOfAnswer = /completion|output/;

const toTokens = (digits: string | undefined): number | undefined => {
  const tokens = Number(digits ?? Number.NaN);
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
  const text = (JSON.stringify(error) ?? '').slice(0, maxCharacters).replace(comma, '').toLowerCase();
  const find = (name: keyof ContextFigures) => {
    const found = patterns[name].find((one) => one.test(text));
    return toTokens(found?.exec(text)?.[1]);
  };
  return {
    ...withoutUnknown({ prompt: find('prompt'), answer: find('answer'), limit: find('limit') }),
    ...readList(text),
  };
}
