// Data URLs in the JSON text of a request. Base64 and percent-encoded data need no escapes in JSON, so the text is searched as it is.

/** Shorter ones stay. */
const longestKept = 1_024;
const scheme = 'data:';
/** The longest media type, with its parameters, that is looked for. */
const longestType = 200;

export interface DataUrl {
  start: number;
  end: number;
  /** As it was written, without the data: `image/png;base64`. */
  type: string;
  data: string;
}

const endsUrl = new Set(['"', "'", '\\', ' ', '<', '>', ')', '(', '`', '{', '}']);

/** The end of the data which begins at `start`. */
function endOfData(text: string, start: number): number {
  let end = start;
  while (end < text.length && !endsUrl.has(text[end]!)) end += 1;
  return end;
}

/** The media type in the text between `data:` and a comma; undefined if it is none. */
function typeBefore(text: string, start: number): string | undefined {
  const comma = text.indexOf(',', start);
  if (comma < 0 || comma - start > longestType) return undefined;
  const type = text.slice(start, comma);
  return [...type].some((character) => endsUrl.has(character)) ? undefined : type;
}

/** The data URLs of more than 1 KiB in a text. */
export function* longDataUrls(text: string): Generator<DataUrl> {
  let start = text.indexOf(scheme);
  while (start >= 0) {
    const type = typeBefore(text, start + scheme.length);
    const from = start + scheme.length + (type?.length ?? 0) + 1;
    const end = type === undefined ? start + scheme.length : endOfData(text, from);
    if (type !== undefined && end - start > longestKept) yield { start, end, type, data: text.slice(from, end) };
    start = text.indexOf(scheme, end);
  }
}

export const hasLongDataUrl = (text: string): boolean => !longDataUrls(text).next().done;

/** Replaces each data URL of more than 1 KiB. */
export function replaceDataUrls(text: string, replacement: (url: DataUrl) => string): string {
  const pieces: string[] = [];
  let place = 0;
  for (const url of longDataUrls(text)) {
    pieces.push(text.slice(place, url.start), replacement(url));
    place = url.end;
  }
  return [...pieces, text.slice(place)].join('');
}
