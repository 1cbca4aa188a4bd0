import type { Behaviour } from '../behaviour/behaviour.ts';
import { costUsd } from '../models.ts';
import type { Answer } from './compose-answer.ts';

/** The fields that every chunk of a stream repeats. */
export type Stamp = { id: string; created: number; model: string };

export const costOf = ({ model }: Stamp, answer: Answer, behaviour: Behaviour): number =>
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
  const costHere = behaviour.cost === 'usage' || (behaviour.cost === 'usual' && streamed);
  return {
    completion_tokens: answer.completionTokens,
    prompt_tokens: answer.promptTokens,
    total_tokens: answer.promptTokens + answer.completionTokens,
    ...(streamed && answer.toolCalls.length === 0
      ? { completion_tokens_details: { reasoning_tokens: 0, text_tokens: answer.completionTokens } }
      : {}),
    ...(costHere ? { cost: costOf(stamp, answer, behaviour) } : {}),
  };
}

export function buildCompletion(stamp: Stamp, answer: Answer, behaviour: Behaviour) {
  const usage = buildUsage(stamp, answer, behaviour, false);
  const { toolCalls } = answer;
  return {
    id: stamp.id,
    created: stamp.created,
    model: stamp.model,
    object: 'chat.completion',
    choices: [
      {
        finish_reason: answer.finishReason,
        index: 0,
        message: {
          content: answer.content,
          role: 'assistant',
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
          provider_specific_fields: { refusal: null },
        },
        provider_specific_fields: {},
      },
    ],
    ...(usage ? { usage } : {}),
  };
}
