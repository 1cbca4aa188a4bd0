/** Why an answer ended, in the words of OpenAI. `failed`: the upstream could not finish it. */
export type FinishMeaning = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'function_call' | 'failed';

/** The words of providers, in lower case with underscores. An answer that was cut or blocked must not look complete. */
const words: Record<Exclude<FinishMeaning, 'stop'>, readonly string[]> = {
  // Anthropic, OpenAI's Responses API, Mistral, and Anthropic's newer models.
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
  content_filter: [
    'content_filter',
    // Bedrock
    'content_filtered',
    'guardrail_intervened',
    // Gemini
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    // Anthropic, Cohere, Zhipu
    'refusal',
    'error_toxic',
    'sensitive',
  ],
  tool_calls: ['tool_calls', 'tool_use'],
  function_call: ['function_call'],
  // OpenRouter, Mistral and Cohere; vLLM and SGLang; DeepSeek.
  failed: ['error', 'abort', 'insufficient_system_resource'],
};

const meanings = new Map(
  Object.entries(words).flatMap(([meaning, all]) => all.map((word) => [word, meaning as FinishMeaning])),
);

/** What a finish reason means, in any case and with hyphens or underscores; one that is unknown is `stop`. `spec 17.18` */
export const meaningOfFinish = (reason: string): FinishMeaning =>
  meanings.get(reason.toLowerCase().replaceAll('-', '_')) ?? 'stop';

/** The finish reason of an answer that a client has stopped. It is no upstream's: theirs of this name is shown as `stop`. `spec 26.10` */
export const stopped = 'stopped';
