import type { UpstreamModels } from '../../api/types.ts';

type Model = UpstreamModels['models'][number];

/** Words in the names of models that do not chat. */
const others = /embed|whisper|tts|speech|audio|transcri|dall-?e|image|rerank|moderation|realtime/i;

/** The names that a model group can have: a wildcard of the upstream is none. */
export const namedModels = (models: readonly Model[]): Model[] => models.filter(({ model }) => !model.includes('*'));

/** The model that a form begins with: one that chats, and better one whose price is known. */
export function suggestModel(models: readonly Model[]): string {
  const chats = namedModels(models).filter(({ model }) => !others.test(model));
  const priced = chats.find(({ input_price_per_million }) => input_price_per_million !== null);
  return (priced ?? chats[0] ?? namedModels(models)[0])?.model ?? '';
}
