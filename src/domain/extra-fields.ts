import type { Member } from './formats/json-members.ts';

/**
 * Which fields of a request an admin may let through to the upstream, and which may be taken out. The upstream may be a LiteLLM proxy, which
 * takes some fields for itself: where to send the request, with which credentials, to which other models, what it costs, what is
 * logged. They are refused by the words that they are made of, because new versions of it have new ones.
 */

const nameForm = /^[a-z][a-z0-9_]{0,40}$/;

/** Any word of a name. */
const words = new Set([
  ...[
    'litellm',
    'model',
    'models',
    'deployment',
    'fallback',
    'fallbacks',
    'guardrail',
    'guardrails',
    'callback',
    'callbacks',
  ],
  ...['mock', 'cost', 'costs', 'price', 'pricing', 'log', 'logger', 'logging', 'proxy', 'retry', 'clientside'],
  ...['credential', 'credentials', 'secret', 'secrets', 'password'],
]);

/** The last word: an address, a credential, settings that contain them, or code. But `min_tokens` is a number. */
const lastWords = new Set([
  ...['base', 'url', 'urls', 'uri', 'uris', 'endpoint', 'endpoints', 'host', 'hosts', 'port', 'path', 'paths'],
  ...[
    'key',
    'keys',
    'token',
    'config',
    'configs',
    'header',
    'headers',
    'project',
    'timeout',
    'retries',
    'processor',
    'processors',
  ],
]);

/** The first word: a provider or a service with credentials, or a family of settings. */
const firstWords = new Set([
  ...[
    'api',
    'aws',
    'azure',
    'vertex',
    'bedrock',
    'sagemaker',
    's3',
    'gcs',
    'watsonx',
    'databricks',
    'oci',
    'bootstrap',
    'mcp',
  ],
  ...['langfuse', 'langsmith', 'humanloop', 'arize', 'phoenix', 'posthog', 'wandb', 'weave', 'lunary', 'presidio'],
  ...['stream', 'extra', 'user', 'client', 'tenant', 'router', 'caching', 'budget'],
]);

/** Names that no rule above covers. */
const names = new Set([
  ...[
    'messages',
    'metadata',
    'tags',
    'cache',
    'ttl',
    'id',
    'call_id',
    'self',
    'roles',
    'weight',
    'rpm',
    'tpm',
    'verbose',
  ],
  ...[
    'apikey',
    'apibase',
    'baseurl',
    'organization',
    'project_id',
    'region_name',
    'custom_llm_provider',
    'preset',
    'file_id',
  ],
  ...[
    'max_parallel_requests',
    'max_budget',
    'cooldown_time',
    'shared_session',
    'search_tool_name',
    'kv_transfer_params',
  ],
  ...['allowed_openai_params', 'drop_params', 'additional_drop_params', 'vector_store_ids', 'knowledge_bases'],
  ...['prompt_id', 'prompt_variables', 'prompt_label', 'prompt_version', 'assistant_continue_message'],
  ...['acompletion', 'text_completion', 'complete_response', 'fastest_response'],
]);

/** Whether a field must never be sent, whatever an admin permits. `spec 7.13` */
export function isForbiddenField(name: string): boolean {
  if (!nameForm.test(name) || names.has(name)) return true;
  const parts = name.split('_');
  return firstWords.has(parts[0]!) || lastWords.has(parts.at(-1)!) || parts.some((part) => words.has(part));
}

/** A call without these is no call, or another one than the gateway has begun. */
const needed = new Set(['model', 'messages', 'input', 'stream', 'stream_options']);

/** Whether a model may take the field out of requests. `spec 7.14` */
export const mayBeBlocked = (name: string): boolean => nameForm.test(name) && !needed.has(name);

/** What a model takes out of the requests to it. Null: nothing. */
export interface FieldLimits {
  blocked_fields: readonly string[] | null;
  /** The most tokens that the model may generate. */
  max_output_tokens: number | null;
}

/** The fields of a request beyond the known ones that go upstream: those that the model permits. */
export function permittedFields(
  fields: readonly Member[],
  permitted: readonly string[],
  blocked: readonly string[] = [],
): Member[] {
  const sent = new Set(permitted.filter((name) => !isForbiddenField(name) && !blocked.includes(name)));
  return fields.filter(({ name }) => sent.has(name));
}
