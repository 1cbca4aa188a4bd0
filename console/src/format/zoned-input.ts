import { formatExact } from './time.ts';

/** The value of an input of type datetime-local for a moment in a zone: `2026-11-25T14:03`. */
export const isoToInput = (iso: string, zone: string): string => formatExact(iso, zone).slice(0, 16);

/** How far the zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const [, sign, hours, minutes] =
    /([+-])(\d{2}):(\d{2})$/.exec(formatExact(new Date(moment).toISOString(), zone)) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ms : ms;
}

/** The moment of an input in a zone. Within the hour that a clock change leaves out, the moment after it. */
export function inputToIso(input: string, zone: string): string {
  const asUtc = Date.parse(`${input}Z`);
  const guess = asUtc - offsetAt(asUtc, zone);
  return new Date(asUtc - offsetAt(guess, zone)).toISOString();
}
