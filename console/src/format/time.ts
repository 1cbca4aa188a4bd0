const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes 50 µs, which is much for a table of times. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options });
  formats.set(key, made);
  return made;
}

const yearOf = (at: Date, zone: string): string => format(zone, { year: 'numeric' }).format(at);

/** `25 Nov 14:03:21`, with the year where it is another one than today's. */
export function formatMoment(iso: string, zone: string, now = new Date()): string {
  const at = new Date(iso);
  const year = yearOf(at, zone) === yearOf(now, zone) ? {} : ({ year: 'numeric' } as const);
  const day = format(zone, { day: 'numeric', month: 'short', ...year }).format(at);
  return `${day} ${format(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at)}`;
}

/** The text of a moment on an axis: the day, or the hour. */
export const formatTick = (at: Date, zone: string, bucket: 'hour' | 'day' | 'month'): string =>
  format(
    zone,
    bucket === 'hour'
      ? { hour: '2-digit', minute: '2-digit' }
      : bucket === 'day'
        ? { day: 'numeric', month: 'short' }
        : { month: 'short', year: 'numeric' },
  ).format(at);

/** `November 2026`, of the month `2026-11`. */
export const formatMonth = (month: string): string =>
  format('UTC', { month: 'long', year: 'numeric' }).format(new Date(`${month}-01T00:00:00Z`));

/** `2026-11-25T14:03:21.123+01:00`: the whole moment, for hover and for copying. */
export function formatExact(iso: string, zone: string): string {
  const at = new Date(iso);
  const parts = Object.fromEntries(
    format(zone, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      timeZoneName: 'longOffset',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const offset = parts.timeZoneName?.replace('GMT', '') || '+00:00';
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}.${parts.fractionalSecond}${offset}`;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago: `now`, `40 s`, `12 min`, `3 h`, `5 d`. */
export function formatAge(iso: string, now: number): string {
  const age = Math.max(0, now - Date.parse(iso));
  if (age < 5 * second) return 'now';
  if (age < minute) return `${Math.floor(age / second)} s`;
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < 2 * day) return `${Math.floor(age / hour)} h`;
  return `${Math.floor(age / day)} d`;
}

/** `340 ms`, `4.2 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h` */
export function formatDuration(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${(ms / second).toFixed(ms < 10 * second ? 2 : 1)} s`;
  const [large, small, names] =
    ms < hour ? [minute, second, ['min', 's']] : ms < day ? [hour, minute, ['h', 'min']] : [day, hour, ['d', 'h']];
  const whole = Math.floor(ms / large);
  const rest = Math.floor((ms % large) / small);
  return `${whole} ${names[0]}${rest > 0 ? ` ${rest} ${names[1]}` : ''}`;
}
