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

/** The models of `/models` and `/model/info`, with the prices of LiteLLM's price map. */
const catalogue: CatalogueModel[] = [
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

/** A model that is not in the catalogue is served too, for 1 USD per million prompt tokens and 2 USD per million completion tokens. */
const findModel = (name: string): CatalogueModel => byName.get(name) ?? model(name, 'openai', 1, 2);

export const costUsd = (name: string, promptTokens: number, completionTokens: number): number => {
  const { inputUsdPerToken, outputUsdPerToken } = findModel(name);
  return promptTokens * inputUsdPerToken + completionTokens * outputUsdPerToken;
};

/** LiteLLM has this creation time for every model. */
const created = 1_677_610_602;

/** GET /models, in the form of OpenAI and LiteLLM. */
export const listModels = () => ({
  data: catalogue.map(({ name, maxTokens }) => ({
    id: name,
    object: 'model',
    created,
    owned_by: 'openai',
    mode: 'chat',
    max_input_tokens: maxTokens,
    max_output_tokens: maxTokens,
  })),
  object: 'list',
});

/** GET /model/info: each model with its prices. LiteLLM has more price fields, nearly all null. */
export const modelInfo = () => ({
  data: catalogue.map(({ name, provider, inputUsdPerToken, outputUsdPerToken, maxTokens }) => ({
    model_name: name,
    litellm_params: { model: `${provider}/${name}`, use_in_pass_through: false, use_litellm_proxy: false },
    model_info: {
      id: modelId(name),
      db_model: false,
      key: name,
      max_tokens: maxTokens,
      max_input_tokens: maxTokens,
      max_output_tokens: maxTokens,
      input_cost_per_token: inputUsdPerToken,
      output_cost_per_token: outputUsdPerToken,
      litellm_provider: provider,
      mode: 'chat',
      supports_function_calling: true,
      supports_response_schema: true,
      supports_tool_choice: true,
    },
  })),
});

/** The id that `/model/info` and the header `x-litellm-model-id` share. */
export const modelId = (name: string): string => `simulated-${headerText(name)}`;

export const headerText = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '_');
