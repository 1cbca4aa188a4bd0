import type { UseQueryResult } from '@tanstack/react-query';
import type { BurnRate, TeamWithKey } from '../../api/types.ts';
import { Count } from '../../components/count.tsx';
import { Balance } from '../../components/credits.tsx';
import { Figure, Figures } from '../../components/figure.tsx';
import { Missing } from '../../components/money.tsx';
import { countOf, formatNumber } from '../../format/number.ts';

interface TeamFiguresProps {
  team: TeamWithKey;
  burnRate: UseQueryResult<BurnRate>;
}

/** The balance, and how fast it is used. */
export function TeamFigures({ team: { credits }, burnRate: { data: rate, error } }: TeamFiguresProps) {
  return (
    <Figures>
      <Figure
        label="Credits left"
        note={credits.credit_limit === null ? 'unlimited budget' : 'fixed budget: never below 0'}
      >
        <Balance of={credits} />
      </Figure>
      <Figure label="Allocated" note={credits.auto_refill ? 'with refills' : 'no refills'}>
        <Count of={credits.credits_allocated} />
      </Figure>
      <Figure label="Used" note="less refunds">
        <Count of={credits.credits_used} />
      </Figure>
      <Figure label="Used a day" note={rate && `${formatNumber(rate.credits_used)} in ${periodOf(rate.days)}`}>
        {rate ? (
          <data value={rate.credits_per_day}>{short(rate.credits_per_day)}</data>
        ) : (
          <Missing why={whyNot(error)} />
        )}
      </Figure>
      <Figure label="Lasts, an estimate" note={rate && noteOf(rate)}>
        {rate?.lasts_days == null ? <Missing why={rate ? noteOf(rate) : whyNot(error)} /> : lasting(rate.lasts_days)}
      </Figure>
    </Figures>
  );
}

/** Seven days, less for a younger team. */
const periodOf = (days: number): string =>
  days >= 2 ? countOf(Math.round(days), 'day') : countOf(Math.max(1, Math.round(days * 24)), 'hour');

const whyNot = (error: Error | null): string => error?.message ?? 'not known yet';

const short = (perDay: number): string => (perDay < 10 ? perDay.toFixed(1) : formatNumber(perDay));

const lasting = (days: number): string =>
  days < 2 ? `${Math.round(days * 24)} h` : days > 999 ? 'over 999 d' : `${Math.round(days)} d`;

function noteOf({ lasts_days, credit_limit, credits_per_day }: BurnRate): string {
  if (lasts_days !== null) return 'at this rate of use';
  return credit_limit === null
    ? 'an unlimited budget does not end'
    : credits_per_day <= 0
      ? 'nothing was used'
      : 'unknown';
}
