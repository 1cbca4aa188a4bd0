/** No schedule of retries waits longer, and PostgreSQL and timers hold it in 31 bits. */
const maxMs = 7 * 24 * 3_600_000;

/** RFC 9110, 5.6.7: the form in use, and the two that are obsolete. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

function delayOf(text: string, now: number): number | undefined {
  const value = text.trim();
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  const ms =
    seconds === undefined ? (httpDate.test(value) ? Date.parse(utc(value)) - now : Number.NaN) : seconds * 1_000;
  return ms >= 0 ? Math.ceil(Math.min(ms, maxMs)) : undefined;
}

/** `asctime` has no time zone, and is UTC. */
const utc = (date: string): string => (/ (?:GMT|UTC)$/.test(date) ? date : `${date} GMT`);

/**
 * How long a `Retry-After` asks to wait, in milliseconds: seconds, or an HTTP date. Undefined where it has passed, or cannot be read. Of
 * several the longest counts.
 */
export function parseRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const delays = [header ?? []].flat().flatMap((text) => delayOf(text, now) ?? []);
  return delays.length > 0 ? Math.max(...delays) : undefined;
}
