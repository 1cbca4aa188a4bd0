import { isGiven } from '../../domain/is-given.ts';
import { invalid } from '../../errors.ts';
import type { ChatPart, TextPart } from '../v1/conversation.ts';
import { type MediaUrls, mediaUrlProblem } from '../v1/media-url.ts';
import type { Block } from './blocks.ts';

/** Where a value is in the body: `['body', 'messages', 2, 'content', 0]`. */
export type Path = (string | number)[];

/** What a translation has left out, and which addresses it accepts. */
export interface Translating {
  mediaUrls: MediaUrls;
  /** The paths of what was left out, as `X-Ignored-Fields` has them. */
  leftOut: string[];
}

interface Source {
  type: string;
  media_type?: string;
  data?: string;
  url?: string;
  content?: string | Block[];
}

export const cacheMark = ({ cache_control }: Pick<Block, 'cache_control'>) =>
  isGiven(cache_control) && { cache_control };

export const textPart = (text: string, block: Pick<Block, 'cache_control'> = {}): TextPart => ({
  type: 'text',
  text,
  ...cacheMark(block),
});

/** `messages[2].content[0]` */
export function leaveOut({ leftOut }: Translating, path: Path): void {
  const names = path.slice(1);
  leftOut.push(
    names.map((key, index) => (typeof key === 'number' ? `[${key}]` : index > 0 ? `.${key}` : key)).join(''),
  );
}

const unsupported = (path: Path, message: string) => invalid(path, message, 'unsupported_value');

function toImage({ mediaUrls }: Translating, block: Block, path: Path): ChatPart {
  const { type, media_type, data, url = '' } = block.source as Source;
  if (type === 'base64')
    return { type: 'image_url', image_url: { url: `data:${media_type};base64,${data}` }, ...cacheMark(block) };
  if (type !== 'url') throw unsupported([...path, 'source', 'type'], 'Files are not referred to by id');
  const problem = mediaUrls === 'any' ? undefined : mediaUrlProblem(url, mediaUrls);
  if (problem) throw invalid([...path, 'source', 'url'], problem);
  return { type: 'image_url', image_url: { url }, ...cacheMark(block) };
}

/** A PDF is a file; what a document has of text is a text, with its title and context before it. */
function toDocument(block: Block, path: Path): ChatPart {
  const { type, media_type, data = '', content = '' } = block.source as Source;
  const title = (block.title as string | null | undefined) ?? '';
  if (type === 'base64') {
    const file_data = `data:${media_type};base64,${data}`;
    return { type: 'file', file: { filename: title || 'document.pdf', file_data }, ...cacheMark(block) };
  }
  if (type !== 'text' && type !== 'content')
    throw unsupported([...path, 'source', 'type'], 'Documents are sent with the request: base64, text or content');
  const body = type === 'text' ? data : typeof content === 'string' ? content : content.map(textOf).join('\n');
  return textPart([title, block.context, body].filter(Boolean).join('\n\n'), block);
}

const textOf = (block: Block): string => (block.type === 'text' ? (block.text as string) : '');

function toSearchResult(block: Block): ChatPart {
  const texts = (block.content as Block[]).map(textOf);
  return textPart([block.title, block.source, ...texts].join('\n'), block);
}

/** A block as a part of a chat completion; undefined for one that has none. */
export function toPart(translating: Translating, block: Block, path: Path): ChatPart | undefined {
  switch (block.type) {
    case 'text':
      return textPart(block.text as string, block);
    case 'image':
      return toImage(translating, block, path);
    case 'document':
      return toDocument(block, path);
    case 'search_result':
      return toSearchResult(block);
    default:
      return undefined;
  }
}
