import { trimEnd } from './trim-end.ts';

/** What a text that was pasted into a search may mean. Pure. */
export interface PastedId {
  /** The text without what surrounds an id where it was copied: quotes, brackets, commas; of an address its last part, of a log line its first id. */
  text: string;
  /** Every whole UUID of the text, with dashes and in lower case. */
  uuids: string[];
  /** The beginning of a UUID, with the dashes that belong there; undefined where it is none. */
  beginning: string | undefined;
}

const before = /^[\s"'`«»“”‘’<([{]+/u;
const after = ' \t\n\r\u00a0"\'`«»“”‘’>)]},;.:!?';
const uuids = /(?<![\da-f])[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}(?![\da-f])/gi;
/** `chatcmpl-…` of a completion, `job-…` and `webhook-…` of a workflow, `msg_…`, `call_…` and their like. */
const prefix = /^(?:[a-z]{2,12}[-_])+(?=[\da-f])/i;
/** The fields of a log line or of an answer that name something which has no UUID. */
const named =
  /"?\b(?:external_task_id|team_id|organization_id|group_name|alias_name|email|proxy_team_id|request_id)"?\s*[:=]\s*"?([^"\s,}]+)/;

const minBeginning = 4;
const maxUuids = 4;
const groups = /^(.{1,8})(.{1,4})?(.{1,4})?(.{1,4})?(.{1,12})?$/;

/** The digits with dashes where a UUID has them. */
const dashed = (digits: string): string =>
  (groups.exec(digits) ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .join('-')
    .toLowerCase();

function beginningIn(text: string): string | undefined {
  const digits = text.replace(prefix, '').replaceAll('-', '');
  return /^[\da-f]{4,32}$/i.test(digits) && digits.length >= minBeginning ? dashed(digits) : undefined;
}

/** `https://host/console/teams/acme?tab=jobs` is `acme`. */
function lastPartOf(address: string): string {
  const { pathname } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

export function readPastedId(pasted: string): PastedId {
  const text = trimEnd(pasted.replace(before, ''), after);
  const found = [...new Set([...text.matchAll(uuids)].map(([id]) => dashed(id.replaceAll('-', ''))))].slice(
    0,
    maxUuids,
  );
  if (found.length > 0) return { text, uuids: found, beginning: undefined };
  const isAddress = /^https?:\/\//i.test(text) && URL.canParse(text);
  const [, value] = named.exec(text) ?? [];
  const name = isAddress ? lastPartOf(text) : (value ?? text);
  return { text: name, uuids: [], beginning: beginningIn(name) };
}
