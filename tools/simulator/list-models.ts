import { catalogue } from './catalogue.ts';

/** LiteLLM stamps every model with this one second, so that the list never changes by itself. */
const created = 1_677_610_602;

/** GET /models, as OpenAI and LiteLLM answer it. */
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

/** GET /model/info: each model with its prices. LiteLLM has many more prices in it, nearly all null. */
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
export const modelId = (name: string): string => `simulated-${inHeader(name)}`;

export const inHeader = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '_');
