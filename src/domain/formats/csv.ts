import { decimalText } from './exact-decimal.ts';

/** Cells of a CSV file (RFC 4180) that a spreadsheet shows as they are. `spec 19.67` */

/** A spreadsheet would execute a text that begins so. The last four are the same characters in full width. */
const startOfFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Where the list separator of a country is a semicolon, as in most of Europe, a spreadsheet reads the commas of the file as text. Then only
 * the first quote of a line begins a quoted cell, so that a text in any other cell is split at its semicolons and line ends, quoted or
 * not: what follows them must not be a formula either. The same is true for the tab and the vertical bar.
 */
const formulaAfterSeparator = /([;|\t\r\n][ "]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const harmless = (text: string): string =>
  (startOfFormula.test(text) ? `'${text}` : text).replaceAll(formulaAfterSeparator, "$1'");

/** The text is always quoted: a reader with another separator than the comma splits what is not. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A cell with a value of JSON: nothing for null, a number without an exponent, JSON for an object or an array. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return decimalText<never>(value);
  if (typeof value === 'boolean') return String(value);
  return quoted(harmless(typeof value === 'string' ? value : JSON.stringify(value)));
}

export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** The offset of a zone changes at these moments only. */
const quarterMs = 900_000;
const minuteMs = 60_000;

/** `+05:30` in minutes. */
function parseOffset(offset: string): number {
  const [hours, minutes] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours! * 60 + minutes!);
}

/** Writes moments in a time zone, with its offset at each of them: `2026-01-31T10:30:00.000+01:00`. */
export function timesIn(timeZone: string): (moment: string) => string {
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  let known = { quarter: Number.NaN, offset: '' };
  const offsetAt = (ms: number): string => {
    const quarter = Math.floor(ms / quarterMs);
    if (quarter !== known.quarter) {
      const { value } = zone.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!;
      // `GMT`, `GMT+05:30`, and long ago `GMT-00:00:32`.
      known = { quarter, offset: value.slice('GMT'.length, 'GMT+00:00'.length) || '+00:00' };
    }
    return known.offset;
  };
  return (moment) => {
    const ms = Date.parse(moment);
    const offset = offsetAt(ms);
    return `${new Date(ms + parseOffset(offset) * minuteMs).toISOString().slice(0, -1)}${offset}`;
  };
}
