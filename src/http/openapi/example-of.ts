import type { JsonSchema } from './components.ts';

/** The example of a field of this name, wherever it is. Everything else follows from its schema. */
const byName: Record<string, unknown> = {
  organization_id: 'acme',
  team_id: 'acme-research',
  team_alias: 'Research',
  name: 'Acme Research',
  display_name: 'Grace Hopper',
  user_id: 'user-17',
  external_task_id: 'task-4711',
  job_type: 'summarize_report',
  group_name: 'chat-large',
  model_group: 'chat-large',
  model_groups: ['chat-large'],
  access_groups: ['standard'],
  model_aliases: ['fast'],
  model: 'chat-large',
  alias_name: 'fast',
  model_name: 'openai/gpt-4o-mini',
  fallbacks: ['openai/gpt-4o-mini'],
  messages: [{ role: 'user', content: 'Summarize this report in one sentence.' }],
  content: 'Revenue grew while costs stayed flat.',
  purpose: 'summary',
  temperature: 0.7,
  finish_reason: 'stop',
  email: 'grace@example.com',
  password: 'correct horse battery',
  current_password: 'correct horse battery',
  new_password: 'staple correct horse',
  webhook_url: 'https://hooks.example.com/jobs',
  period: '2026-01',
  reason: 'January top-up',
  virtual_key: 'sk-…',
  access_token: 'eyJ…',
  token_type: 'bearer',
  credits_remaining: 4,
  credits_used: 1,
  credits_allocated: 5,
  total_cost_usd: 0.00042,
  cost_usd: 0.00042,
  message: 'Done',
};

/** Fields that make an example less clear. */
const leftOut = new Set(['tools', 'tool_choice', 'tool_calls', 'response_format', 'stop', 'metadata', 'proxy_team_id']);

const byFormat: Record<string, string> = {
  uuid: '6f1d7c0e-4a7b-4f0e-9a53-0d6c1f4b2a91',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  email: 'grace@example.com',
  uri: 'https://example.com',
};

export interface Examples {
  /** The schema that a `$ref` refers to. */
  lookup(reference: string): JsonSchema;
  /** Answers are shown with every field, requests with the required ones. */
  everyField: boolean;
}

/** An example for a schema; `name` is the field that it stands in. */
export function exampleOf(schema: JsonSchema, examples: Examples, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (typeof schema.$ref === 'string') return exampleOf(examples.lookup(schema.$ref), examples, name);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.format === 'string' && schema.format in byFormat) return byFormat[schema.format];
  if (schema.type !== 'object' && name in byName) return byName[name];
  const [alternative] = (schema.allOf ?? schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (alternative) return exampleOf(alternative, examples, name);
  if (schema.type === 'object') return objectExample(schema, examples);
  if (schema.type === 'array') return [exampleOf(schema.items as JsonSchema, examples)];
  return schema.default ?? plainExample(schema);
}

function objectExample(schema: JsonSchema, examples: Examples): unknown {
  const required = new Set(schema.required as string[] | undefined);
  const shown = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).filter(
    ([name]) => required.has(name) || (examples.everyField && !leftOut.has(name)),
  );
  return Object.fromEntries(shown.map(([name, inner]) => [name, exampleOf(inner, examples, name)]));
}

function plainExample({ type, minimum = 1 }: JsonSchema): unknown {
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return Math.max(Number(minimum), 1);
    case 'boolean':
      return true;
    default:
      return {};
  }
}
