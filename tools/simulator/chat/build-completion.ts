import type { Behaviour } from '../behaviour/behaviour.ts';
import { costUsd } from '../models.ts';
import type { Answer } from './compose-answer.ts';
import { leakingChoice, leakingFields, leakingMessage, leakingUsage } from './leaks.ts';

/** The fields that every chunk of a stream repeats. */
export type Stamp = { id: string; created: number; model: string };

export const computeCost = ({ model }: Stamp, answer: Answer, behaviour: Behaviour): number =>
  behaviour.costUsd ?? costUsd(model, answer.promptTokens, answer.completionTokens);

/** The usage of an answer. By default a stream has its cost here and a whole answer in a header; a behaviour can change that. */
export function buildUsage(
  stamp: Stamp,
  answer: Answer,
  behaviour: Behaviour,
  streamed: boolean,
): Record<string, unknown> | undefined {
  if (behaviour.usage === 'none') return undefined;
  if (behaviour.usage === 'wrong') return { prompt_tokens: 'many', completion_tokens: -1, total_tokens: 1e40 };
  const costHere = ['usage', 'zero-header'].includes(behaviour.cost) || (behaviour.cost === 'usual' && streamed);
  const { promptTokens: input, completionTokens: output } = answer;
  return {
    ...(behaviour.usageNames === 'usual' && { completion_tokens: output, prompt_tokens: input }),
    ...(behaviour.usageNames === 'beside-zeros' && { completion_tokens: 0, prompt_tokens: 0 }),
    ...(behaviour.usageNames !== 'usual' && { input_tokens: input, output_tokens: output }),
    total_tokens: answer.promptTokens + answer.completionTokens,
    ...(streamed && answer.toolCalls.length === 0
      ? { completion_tokens_details: { reasoning_tokens: 0, text_tokens: answer.completionTokens } }
      : {}),
    ...promptDetails(behaviour),
    ...(behaviour.leaks ? leakingUsage : {}),
    ...(costHere ? { cost: computeCost(stamp, answer, behaviour) } : {}),
  };
}

/** LiteLLM reports what was written to the cache twice. */
function promptDetails({ cachedTokens, writtenTokens }: Behaviour) {
  if (cachedTokens === undefined && writtenTokens === undefined) return {};
  return {
    prompt_tokens_details: {
      ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
      ...(writtenTokens !== undefined && { cache_creation_tokens: writtenTokens }),
    },
    ...(writtenTokens !== undefined && { cache_creation_input_tokens: writtenTokens }),
  };
}

export function buildCompletion(stamp: Stamp, answer: Answer, behaviour: Behaviour) {
  const usage = buildUsage(stamp, answer, behaviour, false);
  return {
    id: stamp.id,
    created: stamp.created,
    model: stamp.model,
    object: 'chat.completion',
    ...(behaviour.leaks ? leakingFields : {}),
    choices: splitAnswer(answer, behaviour).map((part, index) => ({
      finish_reason: part.finishReason,
      ...(behaviour.namesStop && { stop_reason: part.stop }),
      index,
      message: {
        role: 'assistant',
        ...messageFields(part, behaviour),
        provider_specific_fields: { refusal: null },
        ...(behaviour.leaks ? leakingMessage : {}),
      },
      provider_specific_fields: {},
      ...(behaviour.leaks ? leakingChoice : {}),
    })),
    ...(usage ? { usage } : {}),
  };
}

function messageFields({ content, toolCalls, reasoning }: Answer, behaviour: Behaviour): Record<string, unknown> {
  const isRefusal = behaviour.reply === 'refusal';
  const [first] = toolCalls;
  const isFunctionCall = behaviour.reply === 'function-call';
  return {
    content: isRefusal ? null : content,
    ...(isRefusal ? { refusal: content } : {}),
    ...(behaviour.reasoning === 'none' ? {} : { [behaviour.reasoning]: reasoning }),
    ...(isFunctionCall ? { function_call: first?.function } : {}),
    ...(toolCalls.length > 0 && !isFunctionCall ? { tool_calls: toolCalls } : {}),
    ...(behaviour.annotated ? { annotations: [annotation] } : {}),
  };
}

export const annotation = {
  type: 'url_citation',
  url_citation: { url: 'https://rivers.example/po', title: 'The Po', start_index: 0, end_index: 4 },
};

/** The choices of the answer. */
export function splitAnswer(answer: Answer, { choices }: Behaviour): Answer[] {
  if (choices === 'one') return [answer];
  const ofText: Answer = { ...answer, toolCalls: [], finishReason: 'stop' };
  const ofTools: Answer = { ...answer, content: null };
  return choices === 'split' ? [ofText, ofTools] : [ofTools, ofText];
}
