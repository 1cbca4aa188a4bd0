import { longDataUrls } from './formats/data-urls.ts';
import { jsonLength, tokensOfMessages, tokensPerMedium } from './token-estimate.ts';

/** The tokens of a prompt with parts, estimated for the limit of a team. `spec 17.15` */

type Fields = Readonly<Record<string, unknown>>;

interface Size {
  characters: number;
  /** Images, files and sounds. */
  media: number;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A data URL in a text is a medium, whatever its length. */
function sizeOfText(text: unknown): Size {
  if (typeof text !== 'string') return { characters: 0, media: 0 };
  const urls = [...longDataUrls(text)];
  return { characters: text.length - urls.reduce((sum, { start, end }) => sum + end - start, 0), media: urls.length };
}

const sum = (sizes: readonly Size[]): Size =>
  sizes.reduce((all, one) => ({ characters: all.characters + one.characters, media: all.media + one.media }), {
    characters: 0,
    media: 0,
  });

function sizeOfPart(part: unknown): Size {
  if (!isObject(part)) return { characters: 0, media: 0 };
  const { type, text, refusal } = part;
  return type === 'text' || type === 'refusal' ? sizeOfText(text ?? refusal) : { characters: 0, media: 1 };
}

const sizeOfCall = (called: unknown): Size =>
  isObject(called) ? sum([sizeOfText(called.name), sizeOfText(called.arguments)]) : { characters: 0, media: 0 };

function sizeOfMessage({ content, refusal, tool_calls, function_call }: Fields): Size {
  const calls = Array.isArray(tool_calls) ? tool_calls.map((call) => sizeOfCall(isObject(call) && call.function)) : [];
  const parts = Array.isArray(content) ? content.map(sizeOfPart) : [sizeOfText(content)];
  return sum([...parts, sizeOfText(refusal), ...calls, sizeOfCall(function_call)]);
}

export interface ChatPrompt {
  messages: readonly Fields[];
  /** What is sent to the model as JSON: tools, functions, the response format. */
  json: readonly unknown[];
}

export function tokensOfChat({ messages, json }: ChatPrompt): number {
  const { characters, media } = sum(messages.map(sizeOfMessage));
  const ofJson = json.reduce<number>((total, one) => total + jsonLength(one), 0);
  return tokensOfMessages(characters + ofJson, messages.length) + media * tokensPerMedium;
}
