import { createHash } from 'node:crypto';
import type { StoredRequest } from '../../src/db/calls/read-request.ts';
import { type DataUrl, hasLongDataUrl, replaceDataUrls } from '../../src/domain/formats/data-urls.ts';
import type { NotKept } from '../../src/domain/formats/not-kept.ts';

/** What is kept of a data URL: its type, and the length and SHA-256 of its data. */
function described({ type, data }: DataUrl): string {
  const isBase64 = /;base64$/i.test(type);
  const bytes = Buffer.from(data, isBase64 ? 'base64' : 'utf8');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return `data:${isBase64 ? type.slice(0, -';base64'.length) : type};bytes=${bytes.length};sha256=${sha256}`;
}

const withoutData = (text: string): string => (hasLongDataUrl(text) ? replaceDataUrls(text, described) : text);

/** What is kept of a text that is not kept. */
function notKept(text: string): string {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return JSON.stringify({ not_kept: { bytes: Buffer.byteLength(text), sha256 } } satisfies NotKept);
}

const keptText = (text: string, keepBytes: number): string => {
  const kept = withoutData(text);
  return Buffer.byteLength(kept) > keepBytes ? notKept(kept) : kept;
};

/** The texts of a request as they are kept once its call has ended: none of more than `keepBytes`. `spec 17.16` */
export const keptRequest = ({ request, options }: StoredRequest, keepBytes: number): StoredRequest => ({
  request: keptText(request, keepBytes),
  options: options && keptText(options, keepBytes),
});

/** What one team may keep: `PAYLOAD_KEEP_BYTES` of a text, and `STORED_BYTES_PER_DAY` of all. */
export interface Keeping {
  keepBytes: number;
  /** Whether so many bytes more may be kept today; then they are counted. */
  mayKeep(bytes: number): boolean;
}

/** The kept texts, or only their lengths and SHA-256 if the team has stored too much today. */
const keptWithinDay = ({ request, options }: StoredRequest, { mayKeep }: Keeping): StoredRequest =>
  mayKeep(Buffer.byteLength(request) + Buffer.byteLength(options ?? ''))
    ? { request, options }
    : { request: notKept(request), options: options && notKept(options) };

/** What the texts of a request are replaced with when its call ends; null: they stay as they are. */
export interface KeptTexts {
  kept_request: string | null;
  kept_options: string | null;
}

export const nothingReplaced: KeptTexts = { kept_request: null, kept_options: null };

export function keptTexts(stored: StoredRequest, keeping: Keeping): KeptTexts {
  const { request, options } = keptWithinDay(keptRequest(stored, keeping.keepBytes), keeping);
  return {
    kept_request: request === stored.request ? null : request,
    kept_options: options === stored.options ? null : options,
  };
}
