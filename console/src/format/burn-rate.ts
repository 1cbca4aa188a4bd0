import type { BurnRate } from '../api/types.ts';
import { formatCount, formatNumber } from './number.ts';

const days = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Credits a day; undefined for a team that is too new to have a rate. */
export const rateText = ({ credits_per_day }: BurnRate): string | undefined =>
  credits_per_day === null
    ? undefined
    : credits_per_day < 10
      ? credits_per_day.toFixed(1)
      : formatNumber(credits_per_day);

/**
 * The period over which the use was counted: today and the six days before it, less for a younger team. Exactly as the service
 * divides by it, so that use, period and rate agree. Hours where there is no rate yet.
 */
export const periodText = ({ days: period, credits_per_day }: BurnRate): string =>
  credits_per_day === null
    ? formatCount(Math.max(1, Math.round(period * 24)), 'hour')
    : `${days.format(period)} ${period === 1 ? 'day' : 'days'}`;

/** How long the credits last; undefined where there is nothing to estimate it from. */
export function lastingText({ lasts_days }: BurnRate): string | undefined {
  if (lasts_days === null) return undefined;
  return lasts_days < 2
    ? `${Math.round(lasts_days * 24)} h`
    : lasts_days > 999
      ? 'over 999 d'
      : `${Math.round(lasts_days)} d`;
}

/** What the estimate is based on, or why there is none. */
export function lastingNote({ credits_per_day, lasts_days, credit_limit }: BurnRate): string {
  if (credit_limit === null) return 'unlimited budget';
  if (credits_per_day === null) return 'too new: it is less than a day old';
  return lasts_days === null ? 'nothing was used' : 'at this rate of use';
}
