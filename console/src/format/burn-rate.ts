import type { BurnRate } from '../api/types.ts';
import { countOf, formatNumber } from './number.ts';

/** Credits a day; undefined for a team that is too new to have a rate. */
export const rateText = ({ credits_per_day }: BurnRate): string | undefined =>
  credits_per_day === null
    ? undefined
    : credits_per_day < 10
      ? credits_per_day.toFixed(1)
      : formatNumber(credits_per_day);

/** Seven days, less for a younger team. */
export const periodText = ({ days }: BurnRate): string =>
  days >= 2 ? countOf(Math.round(days), 'day') : countOf(Math.max(1, Math.round(days * 24)), 'hour');

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
