/** The lengths of a bucket. */
export const buckets = ['hour', 'day', 'month'] as const;
export type Bucket = (typeof buckets)[number];

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A format takes 27 KB and 50 µs. Clients spell a zone in thousands of ways, so that the oldest goes where there are more. */
const maxFormats = 50;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws for a name that is no time zone. */
function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  if (formats.size > maxFormats) formats.delete(formats.keys().next().value!);
  return format;
}

/** Whether the name is that of a time zone, like `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    findFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds that the zone's clock is ahead of UTC at this moment. */
function offsetAt(moment: number, timeZone: string): number {
  const part = findFormat(timeZone)
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName');
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(part?.value ?? '') ?? [];
  const offset = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -offset : offset;
}

/** The zone's clock as if it showed UTC. */
export const wallTime = (moment: number, timeZone: string): Date => new Date(moment + offsetAt(moment, timeZone));

/** The moment at which the zone's clock shows what UTC's shows at `wall`; where it skips that time, the moment of the skip. */
export function momentAt(wall: number, timeZone: string): number {
  const candidates = [dayMs, -dayMs].map((shift) => wall - offsetAt(wall + shift, timeZone));
  const exact = candidates.filter((moment) => wallTime(moment, timeZone).getTime() === wall);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

/** The moment as `Date.UTC` gives it, which takes the years before 100 for others. */
const utc = (year: number, month: number, day = 1): number => new Date(0).setUTCFullYear(year, month, day);

/** The first moment of the bucket with this moment in it, or of the one that is `later` buckets after it. */
export function bucketStart(length: Bucket, moment: Date, timeZone = 'UTC', later = 0): Date {
  if (length === 'hour') return new Date((Math.floor(moment.getTime() / hourMs) + later) * hourMs);
  const wall = wallTime(moment.getTime(), timeZone);
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  const start = length === 'day' ? utc(year, month, day + later) : utc(year, month + later);
  return new Date(momentAt(start, timeZone));
}

/** The moment at which the next bucket begins, or `moment` itself if one begins there: an open range is rounded up so. */
export function bucketEnd(length: Bucket, moment: Date, timeZone = 'UTC'): Date {
  const start = bucketStart(length, moment, timeZone);
  return start.getTime() === moment.getTime() ? start : bucketStart(length, moment, timeZone, 1);
}

/**
 * The beginnings of the buckets from `from` to before `until`: `from` itself, then each beginning of an hour, day or month in the zone. At most
 * `most` and one more.
 */
export function bucketStarts(
  length: Bucket,
  { from, until }: { from: Date; until: Date },
  { timeZone = 'UTC', most }: { timeZone?: string; most: number },
): Date[] {
  const starts: Date[] = [];
  for (let start = from; start < until && starts.length <= most; start = bucketStart(length, start, timeZone, 1))
    starts.push(start);
  return starts;
}

/** Whether the zone's hours begin with those of UTC at all of these moments: sums by the hour cannot be divided otherwise. */
export const hasWholeHours = (timeZone: string, moments: readonly Date[]): boolean =>
  moments.every((moment) => offsetAt(moment.getTime(), timeZone) % hourMs === 0);

/** Whether all of them begin a day of UTC. */
export const areDays = (moments: readonly Date[]): boolean => moments.every((moment) => moment.getTime() % dayMs === 0);
