import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Operation =
  | ('plain' | 'stream' | 'tools' | 'structured' | 'abort')
  | ('helper' | 'followUp' | 'background' | 'embeddings' | 'count');

/** How one error of the gateway reaches the code that uses a client. */
export interface Thrown {
  type: string;
  status: number | null;
  code: string | null;
}

export type ErrorName = 'wrongKey' | 'unknownModel' | 'invalidRequest' | 'noCredits' | 'contextLength' | 'upstream';

export interface Client {
  /** The program that runs its driver. */
  command: () => string;
  args: string[];
  endpoint: 'chat' | 'responses' | 'messages';
  /** The base URL that it is given is without `/v1`. */
  addsVersion?: boolean;
  /** What its driver can do beside what every driver can. */
  also: Operation[];
  /** A field of the request that the endpoint refuses. */
  refused: Record<string, unknown>;
  errors: Record<ErrorName, Thrown>;
  /** It repeats a request that timed out by itself, and says so in `x-stainless-retry-count`. */
  repeatsTimeouts: boolean;
  /** It repeats every 429, whatever `x-should-retry` says. */
  repeatsEvery429?: boolean;
}

type Driver = Pick<Client, 'command' | 'args'>;

const driver = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const onNode = (file: string, ...args: string[]): Driver => ({
  command: () => process.execPath,
  args: ['--disable-warning=ExperimentalWarning', driver(`node/${file}`), ...args],
});

const onPython = (file: string, ...args: string[]): Driver => ({
  command: () => join(process.env.TEST_CLIENTS_PYTHON ?? '', 'python'),
  args: [driver(`python/${file}`), ...args],
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

/** The same with other fields: one for all errors, or one for each. */
const changed = (
  errors: Client['errors'],
  changes: (name: ErrorName, thrown: Thrown) => Partial<Thrown>,
): Client['errors'] =>
  Object.fromEntries(
    Object.entries(errors).map(([name, thrown]) => [name, { ...thrown, ...changes(name as ErrorName, thrown) }]),
  ) as Client['errors'];

/** LangChain derives a class of its own from each of them. */
const typesOfLangChain: Record<ErrorName, string> = {
  wrongKey: 'OpenAIAuthenticationError',
  unknownModel: 'OpenAIModelNotFoundError',
  invalidRequest: 'OpenAIInvalidRequestError',
  noCredits: 'OpenAIRateLimitError',
  contextLength: 'OpenAIContextOverflowError',
  upstream: 'OpenAIAPIError',
};
const ofLangChain = changed(ofOpenAi, (name) => ({ type: typesOfLangChain[name] }));

/** Of its own mapping, which keeps few of the codes. */
const ofLiteLlm: Client['errors'] = {
  ...ofOpenAi,
  wrongKey: { ...ofOpenAi.wrongKey, code: null },
  unknownModel: { ...ofOpenAi.unknownModel, code: null },
  noCredits: { ...ofOpenAi.noCredits, code: '429' },
  contextLength: { type: 'ContextWindowExceededError', status: 400, code: null },
  upstream: { type: 'BadGatewayError', status: 502, code: null },
};

/** The classes of Anthropic's packages. */
const ofAnthropic: Client['errors'] = {
  ...ofOpenAi,
  noCredits: { type: 'PaymentRequiredError', status: 402, code: 'insufficient_quota' },
};

const ofAiSdk = changed(ofOpenAi, () => ({ type: 'APICallError' }));
/** Its package for Anthropic keeps no codes. */
const ofAiSdkOfAnthropic = changed(ofAnthropic, () => ({ type: 'APICallError', code: null }));

const chat = {
  endpoint: 'chat',
  also: [],
  refused: { n: 2 },
  errors: ofOpenAi,
  repeatsTimeouts: true,
} satisfies Partial<Client>;
const responses = {
  endpoint: 'responses',
  also: ['followUp'],
  refused: { conversation: 'conv_1' },
  errors: ofOpenAi,
  repeatsTimeouts: true,
} satisfies Partial<Client>;
const messages = {
  endpoint: 'messages',
  also: ['followUp'],
  refused: { container: { id: 'container_1' } },
  errors: ofAnthropic,
  repeatsTimeouts: true,
} satisfies Partial<Client>;

const ofOpenAiPackage: Operation[] = ['helper', 'followUp', 'background', 'embeddings'];
const ofAnthropicPackage: Operation[] = ['helper', 'followUp', 'count'];
const aiSdk = { repeatsTimeouts: false, repeatsEvery429: true };

const clientsByName = {
  openAiForNode: { ...chat, ...onNode('openai.mjs') },
  openAiForPython: { ...chat, ...onPython('openai_client.py') },
  aiSdk: { ...chat, ...onNode('ai-sdk.mjs', 'chat'), ...aiSdk, errors: ofAiSdk },
  langChain: { ...chat, ...onPython('langchain_client.py', 'chat'), errors: ofLangChain },
  agentsSdk: { ...chat, ...onPython('agents_client.py', 'chat') },
  liteLlm: { ...chat, ...onPython('litellm_client.py'), errors: ofLiteLlm },
  responsesForNode: { ...responses, ...onNode('openai-responses.mjs'), also: ofOpenAiPackage },
  responsesForPython: { ...responses, ...onPython('openai_responses_client.py'), also: ofOpenAiPackage },
  agentsForNode: { ...responses, ...onNode('agents.mjs') },
  agentsForPython: { ...responses, ...onPython('agents_client.py', 'responses') },
  langChainForNode: {
    ...responses,
    ...onNode('langchain.mjs'),
    // It repeats by itself, without the header that says so.
    repeatsTimeouts: false,
    errors: { ...ofOpenAi, contextLength: { type: 'ContextOverflowError', status: null, code: null } },
  },
  langChainForPython: { ...responses, ...onPython('langchain_client.py', 'responses'), errors: ofLangChain },
  aiSdkOfOpenAi: { ...responses, ...onNode('ai-sdk.mjs', 'responses'), ...aiSdk, errors: ofAiSdk },
  aiSdkOfAnthropic: { ...messages, ...onNode('ai-sdk.mjs', 'messages'), ...aiSdk, errors: ofAiSdkOfAnthropic },
  anthropicForNode: { ...messages, ...onNode('anthropic.mjs'), addsVersion: true, also: ofAnthropicPackage },
  anthropicForPython: {
    ...messages,
    ...onPython('anthropic_client.py'),
    addsVersion: true,
    also: ofAnthropicPackage,
    refused: { extra_body: messages.refused },
  },
} satisfies Record<string, Client>;

export const clients: Record<keyof typeof clientsByName, Client> = clientsByName;
