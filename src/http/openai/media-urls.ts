import { invalid } from '../../errors.ts';
import { type MediaUrls, mediaUrlProblem } from '../v1/media-url.ts';
import type { ChatRequest } from './chat-request.ts';

/** Texts for the model or its user, and names. Nothing fetches them. */
const texts = new Set([
  ...[
    'text',
    'refusal',
    'reasoning_content',
    'reasoning',
    'thinking',
    'signature',
    'arguments',
    'title',
    'description',
  ],
  ...['type', 'role', 'name', 'id', 'tool_call_id', 'filename', 'detail', 'format', 'mime_type', 'media_type'],
]);

/** The keys of a message that tell where an answer was found, and which functions it called. */
const results = new Set(['annotations', 'citations', 'search_results', 'tool_calls', 'function_call']);

/** Keys of a part whose text is an address, or would be taken for one. */
const addressKey = /(?:^|_)(?:path|image|video|audio|file)s?$|(?:url|uri)s?$/i;

/** A text that begins as an address does, also in spellings that only some parsers read so. */
const addressForm = /^[\s\p{Cc}]*(?:[a-z][a-z\d+.-]{0,30}:)?[/\\]{2}|^[\s\p{Cc}]*[a-z][a-z\d+.-]{1,30}:[/\\]/iu;
const beginsAsAddress = (text: string): boolean => addressForm.test(text.slice(0, 200));

interface Problem {
  /** The path to the value. Keys are added at its front while the recursion returns. */
  path: (string | number)[];
  msg: string;
}

interface Position {
  key: string;
  /** The value is within a part of a content, or of another key that has parts. Other keys of a message are for its sender. */
  isInPart: boolean;
}

/** The type of a part beside the content, such as an image that the model has made. */
const mediaType = /image|video|audio|file|media/i;
const isMedium = ({ type }: { type?: unknown }): boolean => typeof type === 'string' && mediaType.test(type);

function problemOfText(
  accepted: Exclude<MediaUrls, 'any'>,
  text: string,
  { key, isInPart }: Position,
): string | undefined {
  if (!isInPart) return undefined;
  if (/^file_?id$/i.test(key)) return 'Files are not referred to by id';
  return addressKey.test(key) || beginsAsAddress(text) ? mediaUrlProblem(text, accepted) : undefined;
}

const within = (key: string | number, problem: Problem): Problem => {
  problem.path.unshift(key);
  return problem;
};

/** The depth of a body is bounded before. */
function problemIn(value: unknown, position: Position, accepted: Exclude<MediaUrls, 'any'>): Problem | undefined {
  if (typeof value === 'string') {
    const msg = problemOfText(accepted, value, position);
    return msg === undefined ? undefined : { path: [], msg };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = problemIn(item, position, accepted);
      if (problem) return within(index, problem);
    }
    return undefined;
  }
  const isInPart = position.isInPart || isMedium(value);
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string' && texts.has(key)) continue;
    const problem = problemIn(member, { key, isInPart }, accepted);
    if (problem) return within(key, problem);
  }
  return undefined;
}

function problemInMessage(message: object, accepted: Exclude<MediaUrls, 'any'>): Problem | undefined {
  for (const [key, member] of Object.entries(message)) {
    if (texts.has(key) || results.has(key) || (key === 'content' && typeof member === 'string')) continue;
    const problem = problemIn(member, { key, isInPart: key === 'content' }, accepted);
    if (problem) return within(key, problem);
  }
  return undefined;
}

/** Refuses a request whose messages refer the upstream to an address that it should not fetch. `spec 17.29` */
export function requireMediaUrls(accepted: MediaUrls, { messages }: ChatRequest): void {
  if (accepted === 'any') return;
  for (const [index, message] of messages.entries()) {
    const problem = problemInMessage(message, accepted);
    if (problem) throw invalid(['body', 'messages', index, ...problem.path], problem.msg);
  }
}
