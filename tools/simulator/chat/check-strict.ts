import { SimulatorError } from '../errors.ts';
import type { ChatRequest } from './chat-request.ts';

/** What OpenAI documents; `user` and `stream_options` are sent by gateways. */
const fields = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'user', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop', 'seed', 'response_format'],
  ...['reasoning_effort', 'verbosity', 'prompt_cache_key', 'prompt_cache_retention', 'service_tier'],
]);
const fieldsOfMessage: Record<string, readonly string[]> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'reasoning_content'],
  tool: ['role', 'content', 'tool_call_id'],
};

const refuse = (message: string, param: string) =>
  new SimulatorError(400, message, { type: 'invalid_request_error', param });

type Message = ChatRequest['messages'][number];

function checkFields({ messages, ...request }: ChatRequest): void {
  for (const name of Object.keys(request)) if (!fields.has(name)) throw refuse(`Unknown field: ${name}`, name);
  for (const [index, message] of messages.entries()) {
    const known = fieldsOfMessage[message.role];
    if (!known) throw refuse(`Unknown role: ${message.role}`, `messages.${index}.role`);
    const unknown = Object.keys(message).find((name) => !known.includes(name) && name !== 'cache_control');
    if (unknown) throw refuse(`Unknown field: ${unknown}`, `messages.${index}.${unknown}`);
  }
}

const callsOf = ({ tool_calls }: Message): string[] => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id);

/** A server whose template takes one system message at the beginning, sides that alternate, and each call with its result. */
export function checkStrict(request: ChatRequest): void {
  checkFields(request);
  let open: string[] = [];
  let last = '';
  for (const [index, message] of request.messages.entries()) {
    const { role } = message;
    const at = `messages.${index}`;
    if (role === 'system' && index > 0) throw refuse('System message must be at the beginning', at);
    if (role === 'tool') {
      if (message.tool_call_id !== open.shift()) throw refuse('A result without its call', at);
      last = role;
      continue;
    }
    if (open.length > 0) throw refuse(`No result of ${open[0]}`, at);
    if (role === last) throw refuse('Roles must alternate', at);
    const isEmpty = role === 'assistant' && !message.content && callsOf(message).length === 0;
    if (isEmpty) throw refuse('An empty message of the assistant', at);
    open = callsOf(message);
    last = role;
  }
  if (open.length > 0) throw refuse(`No result of ${open[0]}`, 'messages');
}
