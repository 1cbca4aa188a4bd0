import type { Behaviour } from '../behaviour/behaviour.ts';
import type { ChatRequest, Tool } from './chat-request.ts';
import { fillSchema } from './fill-schema.ts';
import { composeText, countPromptTokens, countTokens, digest, messageText, splitTokens } from './text.ts';

export type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

/** The answer of the simulated model, before it is sent as one body or as a stream. */
export type Answer = {
  content: string | null;
  toolCalls: ToolCall[];
  /** What precedes the answer; empty where nothing does. */
  reasoning: string;
  finishReason: string | null;
  /** The stop string at which it ended. */
  stop: string | null;
  promptTokens: number;
  completionTokens: number;
};

export function composeAnswer(request: ChatRequest, behaviour: Behaviour): Answer {
  const seed = digest(JSON.stringify([request.model, request.messages, request.tools, request.response_format]));
  const toolCalls = callTools(request, behaviour, seed);
  const hasText = toolCalls.length === 0 || behaviour.reply === 'text-and-tools';
  const whole = hasText ? composeContent(request, behaviour, seed) : null;
  const { content, finishReason, stop } = shorten(whole, request);
  const countCompletion = () =>
    countTokens(content ?? '') + toolCalls.reduce((sum, call) => sum + countTokens(call.function.arguments) + 1, 0);
  return {
    content,
    toolCalls,
    reasoning:
      behaviour.reasoning === 'none' ? '' : `Let me think. ${composeText(seed, behaviour.reasoningTokens ?? 6)}`,
    stop,
    finishReason:
      behaviour.finishReason !== undefined
        ? behaviour.finishReason
        : toolCalls.length > 0
          ? behaviour.reply === 'function-call'
            ? 'function_call'
            : 'tool_calls'
          : finishReason,
    promptTokens: behaviour.promptTokens ?? countPromptTokens(request.messages),
    completionTokens:
      behaviour.reply === 'text' ? countCompletion() : (behaviour.completionTokens ?? countCompletion()),
  };
}

const lastUserText = (request: ChatRequest): string => {
  const message = request.messages.findLast(({ role }) => role === 'user');
  return message ? messageText(message) : '';
};

function composeContent(request: ChatRequest, behaviour: Behaviour, seed: Buffer): string | null {
  const tokens = behaviour.completionTokens ?? 8 + ((seed[4] ?? 0) % 24);
  const format = request.response_format;
  if (behaviour.reply === 'text' && format?.type === 'json_schema') {
    return JSON.stringify(fillSchema(format.json_schema?.schema, composeText(seed, 2)));
  }
  if (behaviour.reply === 'text' && format?.type === 'json_object') return jsonAnswer(seed);
  switch (behaviour.reply) {
    case 'text':
    case 'text-and-tools':
      return composeText(seed, tokens);
    case 'tools':
    case 'two-tools':
    case 'function-call':
      return null;
    case 'refusal':
      return 'I cannot say that.';
    case 'null':
      return null;
    case 'empty':
      return '';
    case 'json':
      return jsonAnswer(seed);
    case 'echo':
      return lastUserText(request);
    case 'huge':
      return hugeText(seed, (behaviour.mebibytes ?? 1) * 1_048_576);
    case 'null-bytes':
      return `before\u0000after ${composeText(seed, 3)}`;
    case 'lone-surrogate':
      return `before\ud800after ${composeText(seed, 3)}`;
    case 'unicode':
      return `Grüße 你好 👩‍👩‍👧‍👦 \u2028 ${composeText(seed, 3)} 🎉`;
  }
}

const hugeText = (seed: Buffer, length: number): string => {
  const word = composeText(seed, 5).replaceAll(' ', '');
  return word.repeat(Math.ceil(length / word.length)).slice(0, length);
};

const jsonAnswer = (seed: Buffer): string => JSON.stringify({ answer: composeText(seed, 4), score: seed[5] ?? 0 });

/** A stop sequence ends the text before itself; max_tokens ends it anywhere, with finish reason `length`. */
function shorten(whole: string | null, request: ChatRequest) {
  if (whole === null) return { content: null, finishReason: 'stop', stop: null };
  const stops = [request.stop ?? []].flat().filter((stop) => stop !== '' && whole.includes(stop));
  const [stop = null] = stops.toSorted((one, other) => whole.indexOf(one) - whole.indexOf(other));
  const stopped = stop === null ? whole : whole.slice(0, whole.indexOf(stop));
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
  if (limit === Number.POSITIVE_INFINITY || countTokens(stopped) <= limit)
    return { content: stopped, finishReason: 'stop', stop };
  return { content: splitTokens(stopped).slice(0, limit).join(''), finishReason: 'length', stop: null };
}

function callTools(request: ChatRequest, behaviour: Behaviour, seed: Buffer): ToolCall[] {
  const wanted = wantedTool(request, behaviour);
  if (!wanted) return [];
  const filled =
    behaviour.calls?.arguments ?? fillSchema(wanted.parameters ?? { type: 'object' }, composeText(seed, 1));
  const json = behaviour.noArguments ? '' : JSON.stringify(filled);
  const id = `call_${seed.toString('hex').slice(0, 24)}`;
  const calls = behaviour.reply === 'two-tools' ? [id, `${id}b`] : [id];
  return calls.map((one) => ({
    id: toId(one, behaviour),
    type: 'function',
    function: { name: wanted.name, arguments: json },
  }));
}

/** The id is longer than the 16 KiB that clients and proxies are known to take. */
const longId = 'x'.repeat(20_000);

function toId(id: string, { toolPieces }: Behaviour): string {
  if (toolPieces === 'no-ids') return '';
  return toolPieces === 'long-ids' ? `${id}${longId}` : id;
}

type Offered = Pick<NonNullable<Tool['function']>, 'name' | 'parameters'>;

const getWeather: Offered = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

const callingReplies: ReadonlySet<Behaviour['reply']> = new Set([
  'tools',
  'two-tools',
  'text-and-tools',
  'function-call',
]);

/** A tool is called when a script, the model name or tool_choice requires it, or when the last user message contains its name. */
function wantedTool(request: ChatRequest, { reply, calls }: Behaviour): Offered | undefined {
  if (calls !== undefined) return calls ?? undefined;
  const { tools, tool_choice: choice } = request;
  const offered = (tools ?? []).flatMap((tool) => (tool.function ? [tool.function] : []));
  if (callingReplies.has(reply)) return offered[0] ?? getWeather;
  if (choice === 'none') return undefined;
  if (choice === 'required') return offered[0];
  if (choice && typeof choice === 'object') return offered.find(({ name }) => name === choice.function.name);
  // A turn ends: what a tool has returned is answered with a text.
  if (request.messages.at(-1)?.role === 'tool') return undefined;
  return offered.find(({ name }) => lastUserText(request).includes(name));
}
