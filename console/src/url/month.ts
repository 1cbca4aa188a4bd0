import { textIn } from './search-text.ts';

/** A calendar month, UTC: `2026-11`. Money is in UTC. */
export const thisMonth = (now = new Date()): string => now.toISOString().slice(0, 7);

export function monthIn(search: Record<string, unknown>): string | undefined {
  const text = textIn(search, 'month');
  return text && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** The month that is so many months before the present one. */
export function monthsBefore(ago: number, now = Date.now()): string {
  const at = new Date(now);
  return thisMonth(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago, 1)));
}

/** The last twelve months, newest first. */
export const lastMonths = (now = new Date()): string[] =>
  Array.from({ length: 12 }, (_, ago) => monthsBefore(ago, now.getTime()));

/** The month that a fixed range is; undefined for any other. */
export const monthOfRange = ({ from, to }: { from?: string; to?: string }): string | undefined => {
  const month = from?.slice(0, 7);
  if (!month || !/^\d{4}-\d{2}$/.test(month)) return undefined;
  const whole = rangeOfMonth(month);
  return whole.from === from && whole.to === to ? month : undefined;
};

/** The first and the last moment of a month, as a part of a time range. */
export function rangeOfMonth(month: string): { from: string; to: string } {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return {
    from: new Date(Date.UTC(year, number - 1, 1)).toISOString(),
    to: new Date(Date.UTC(year, number, 1) - 1).toISOString(),
  };
}
