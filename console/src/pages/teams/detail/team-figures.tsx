import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { reservedQuery } from '../../../api/teams.ts';
import type { BurnRate, TeamWithKey } from '../../../api/types.ts';
import { Balance } from '../../../components/teams/balance.tsx';
import { Count } from '../../../components/ui/count.tsx';
import { Figure, Figures } from '../../../components/ui/figure.tsx';
import { Missing } from '../../../components/ui/money.tsx';
import { lastingNote, lastingText, periodText, rateText } from '../../../format/burn-rate.ts';
import { formatNumber } from '../../../format/number.ts';

interface TeamFiguresProps {
  team: TeamWithKey;
  burnRate: UseQueryResult<BurnRate>;
}

/** The balance, and how fast it is used. */
export function TeamFigures({ team, burnRate: { data: rate, error } }: TeamFiguresProps) {
  const { credits } = team;
  const reserved = useQuery(reservedQuery(team));
  const held = reserved.data?.credits_held ?? 0;
  const why = rate ? lastingNote(rate) : (error?.message ?? 'not known yet');
  return (
    <Figures>
      <Figure
        label="Credits left"
        note={
          (credits.credit_limit === null ? 'unlimited budget' : 'fixed budget: never below 0') +
          (held > 0 ? `, ${formatNumber(held)} held by open jobs` : '')
        }
      >
        <Balance of={credits} />
      </Figure>
      <Figure label="Allocated" note={credits.auto_refill ? 'with refills' : 'no refills'}>
        <Count of={credits.credits_allocated} />
      </Figure>
      <Figure label="Used" note="less refunds">
        <Count of={credits.credits_used} />
      </Figure>
      <Figure
        label="Used per day"
        note={rate && `${formatNumber(rate.credits_used)} in ${periodText(rate)}, by the day of the ledger row`}
      >
        {rate?.credits_per_day == null ? (
          <Missing why={why} />
        ) : (
          <data value={rate.credits_per_day}>{rateText(rate)}</data>
        )}
      </Figure>
      <Figure label="Estimated to last" note={rate && why}>
        {(rate && lastingText(rate)) ?? <Missing why={why} />}
      </Figure>
    </Figures>
  );
}
