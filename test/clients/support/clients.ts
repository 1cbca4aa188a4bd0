import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How one error of the gateway reaches the code that uses a client. */
export interface Thrown {
  type: string;
  status: number;
  code: string | null;
}

export type ErrorName = 'wrongKey' | 'unknownModel' | 'invalidRequest' | 'noCredits' | 'contextLength' | 'upstream';

export interface Client {
  /** The program that runs its driver. */
  command: () => string;
  args: string[];
  errors: Record<ErrorName, Thrown>;
  /** It repeats a request that timed out by itself, and says so in `x-stainless-retry-count`. */
  repeatsTimeouts: boolean;
  /** It repeats every 429, whatever `x-should-retry` says. */
  repeatsEvery429?: boolean;
}

const driver = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const onNode = (file: string) => ({
  command: () => process.execPath,
  args: ['--disable-warning=ExperimentalWarning', driver(`node/${file}`)],
});

const onPython = (file: string) => ({
  command: () => join(process.env.TEST_CLIENTS_PYTHON ?? '', 'python'),
  args: [driver(`python/${file}`)],
});

/** The classes of the `openai` packages, which most other clients throw too. */
const ofOpenAi: Client['errors'] = {
  wrongKey: { type: 'AuthenticationError', status: 401, code: 'invalid_api_key' },
  unknownModel: { type: 'NotFoundError', status: 404, code: 'model_not_found' },
  invalidRequest: { type: 'BadRequestError', status: 400, code: 'unsupported_value' },
  noCredits: { type: 'RateLimitError', status: 429, code: 'insufficient_quota' },
  contextLength: { type: 'BadRequestError', status: 400, code: 'context_length_exceeded' },
  upstream: { type: 'InternalServerError', status: 502, code: 'upstream_error' },
};

const withTypes = (types: Partial<Record<ErrorName, string>>): Client['errors'] =>
  Object.fromEntries(
    Object.entries(ofOpenAi).map(([name, thrown]) => [
      name,
      { ...thrown, type: types[name as ErrorName] ?? thrown.type },
    ]),
  ) as Client['errors'];

/** LangChain derives a class of its own from each of them. */
const ofLangChain = withTypes({
  wrongKey: 'OpenAIAuthenticationError',
  unknownModel: 'OpenAIModelNotFoundError',
  invalidRequest: 'OpenAIInvalidRequestError',
  noCredits: 'OpenAIRateLimitError',
  contextLength: 'OpenAIContextOverflowError',
  upstream: 'OpenAIAPIError',
});

/** Of its own mapping, which keeps few of the codes. */
const ofLiteLlm: Client['errors'] = {
  ...ofOpenAi,
  wrongKey: { ...ofOpenAi.wrongKey, code: null },
  unknownModel: { ...ofOpenAi.unknownModel, code: null },
  noCredits: { ...ofOpenAi.noCredits, code: '429' },
  contextLength: { type: 'ContextWindowExceededError', status: 400, code: null },
  upstream: { type: 'BadGatewayError', status: 502, code: null },
};

const apiCallError = 'APICallError';
const ofAiSdk = withTypes({
  wrongKey: apiCallError,
  unknownModel: apiCallError,
  invalidRequest: apiCallError,
  noCredits: apiCallError,
  contextLength: apiCallError,
  upstream: apiCallError,
});

export const clients = {
  openAiForNode: { ...onNode('openai.mjs'), errors: ofOpenAi, repeatsTimeouts: true },
  openAiForPython: { ...onPython('openai_client.py'), errors: ofOpenAi, repeatsTimeouts: true },
  aiSdk: {
    ...onNode('ai-sdk.mjs'),
    errors: ofAiSdk,
    repeatsTimeouts: false,
    repeatsEvery429: true,
  },
  langChain: { ...onPython('langchain_client.py'), errors: ofLangChain, repeatsTimeouts: true },
  agentsSdk: { ...onPython('agents_client.py'), errors: ofOpenAi, repeatsTimeouts: true },
  liteLlm: { ...onPython('litellm_client.py'), errors: ofLiteLlm, repeatsTimeouts: true },
} satisfies Record<string, Client>;
