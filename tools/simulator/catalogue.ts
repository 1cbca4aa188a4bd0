export type CatalogueModel = {
  name: string;
  provider: string;
  inputUsdPerToken: number;
  outputUsdPerToken: number;
  maxTokens: number;
};

const model = (name: string, provider: string, inputUsdPerMillion: number, outputUsdPerMillion: number) => ({
  name,
  provider,
  inputUsdPerToken: inputUsdPerMillion / 1_000_000,
  outputUsdPerToken: outputUsdPerMillion / 1_000_000,
  maxTokens: 16_384,
});

/** What `/models` and `/model/info` list. Prices are those that LiteLLM's own price map gave for these names. */
export const catalogue: CatalogueModel[] = [
  model('gpt-4o', 'openai', 2.5, 10),
  model('gpt-4o-mini', 'openai', 0.15, 0.6),
  model('gpt-4.1', 'openai', 2, 8),
  model('gpt-3.5-turbo', 'openai', 0.5, 1.5),
  model('claude-sonnet-4', 'anthropic', 3, 15),
  model('claude-haiku-4-5', 'anthropic', 1, 5),
  model('gemini-2.5-flash', 'gemini', 0.3, 2.5),
  model('sim-ok', 'openai', 1, 2),
  model('sim-fast', 'openai', 1, 2),
  model('sim-slow', 'openai', 1, 2),
];

const byName = new Map(catalogue.map((entry) => [entry.name, entry]));

/** A name outside the catalogue is served all the same, at one dollar in and two out per million tokens. */
const findModel = (name: string): CatalogueModel => byName.get(name) ?? model(name, 'openai', 1, 2);

export const costUsd = (name: string, promptTokens: number, completionTokens: number): number => {
  const { inputUsdPerToken, outputUsdPerToken } = findModel(name);
  return promptTokens * inputUsdPerToken + completionTokens * outputUsdPerToken;
};
