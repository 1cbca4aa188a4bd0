import { createHash } from 'node:crypto';
import type { StoredRequest } from '../../src/db/calls/read-request.ts';
import { type DataUrl, hasLongDataUrl, replaceDataUrls } from '../../src/domain/formats/data-urls.ts';

/** What is kept of a data URL: its type, and the length and SHA-256 of its data. */
function described({ type, data }: DataUrl): string {
  const isBase64 = /;base64$/i.test(type);
  const bytes = Buffer.from(data, isBase64 ? 'base64' : 'utf8');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return `data:${isBase64 ? type.slice(0, -';base64'.length) : type};bytes=${bytes.length};sha256=${sha256}`;
}

const withoutData = (text: string): string => (hasLongDataUrl(text) ? replaceDataUrls(text, described) : text);

/** The texts of a request as they are kept once its call has ended. `spec 17.16` */
export const keptRequest = ({ request, options }: StoredRequest): StoredRequest => ({
  request: withoutData(request),
  options: options && withoutData(options),
});

/** What the texts of a request are replaced with when its call ends; null: they stay as they are. */
export interface KeptTexts {
  kept_request: string | null;
  kept_options: string | null;
}

export const nothingReplaced: KeptTexts = { kept_request: null, kept_options: null };

export function keptTexts(stored: StoredRequest): KeptTexts {
  const { request, options } = keptRequest(stored);
  return {
    kept_request: request === stored.request ? null : request,
    kept_options: options === stored.options ? null : options,
  };
}
