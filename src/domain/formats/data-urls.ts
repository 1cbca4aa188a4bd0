// Data URLs in the JSON text of a request. Base64 and percent-encoded data need no escapes in JSON, so the text is searched as it is.

/** Shorter data URLs stay. */
const maxKeptCharacters = 1_024;
const scheme = 'data:';
/** The longest media type, with its parameters, that is looked for. */
const maxTypeCharacters = 200;

export interface DataUrl {
  start: number;
  end: number;
  /** The type as it was written, without the data: `image/png;base64`. */
  type: string;
  data: string;
}

/** What no URL contains. */
const outsideUrl = /["'\\\s<>()`{}]/g;

/** The end of the data which begins at `start`. */
function endOfData(text: string, start: number): number {
  outsideUrl.lastIndex = start;
  return outsideUrl.exec(text)?.index ?? text.length;
}

/** The data URLs of more than 1 KiB in a text. Linear: each comma is searched for once, and no data is read twice. */
export function* longDataUrls(text: string): Generator<DataUrl> {
  let comma = 0;
  let start = text.indexOf(scheme);
  while (start >= 0) {
    const afterScheme = start + scheme.length;
    if (comma < afterScheme) comma = text.indexOf(',', afterScheme);
    if (comma < 0) return;
    const type = comma - afterScheme > maxTypeCharacters ? undefined : text.slice(afterScheme, comma);
    const isUrl = type !== undefined && endOfData(type, 0) === type.length;
    const end = isUrl ? endOfData(text, comma + 1) : afterScheme;
    if (isUrl && end - start > maxKeptCharacters) yield { start, end, type, data: text.slice(comma + 1, end) };
    start = text.indexOf(scheme, end);
  }
}

export const hasLongDataUrl = (text: string): boolean => !longDataUrls(text).next().done;

/** Replaces each data URL of more than 1 KiB. */
export function replaceDataUrls(text: string, replacement: (url: DataUrl) => string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const url of longDataUrls(text)) {
    pieces.push(text.slice(at, url.start), replacement(url));
    at = url.end;
  }
  return [...pieces, text.slice(at)].join('');
}
