import { Link } from '@tanstack/react-router';
import type { System } from '../../api/types.ts';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { Missing } from '../../components/ui/money.tsx';
import { Age, Duration } from '../../components/ui/time.tsx';
import { formatNumber } from '../../format/number.ts';

const secondMs = 1_000;

/** How much work waits to be done. */
export function BacklogFigures({ backlog }: { backlog: System['backlog'] }) {
  const { queued_calls, running_calls, open_jobs, oldest_queued_seconds } = backlog;
  const { unsent_deliveries, pending_deliveries, figures_complete_until } = backlog;
  return (
    <Figures>
      <Figure label="Open jobs">
        <Link to="/live">{formatNumber(open_jobs)}</Link>
      </Figure>
      <Figure label="Running calls">
        <Link to="/live">{formatNumber(running_calls)}</Link>
      </Figure>
      <Figure
        label="Waiting calls"
        note={
          oldest_queued_seconds !== null && (
            <>
              the oldest for <Duration ms={oldest_queued_seconds * secondMs} />
            </>
          )
        }
      >
        <Link to="/live">{formatNumber(queued_calls)}</Link>
      </Figure>
      <Figure label="Unsent deliveries" note="not started">
        {formatNumber(unsent_deliveries)}
      </Figure>
      <Figure label="Pending deliveries" note="wait for their next attempt">
        <Link to="/webhooks">{formatNumber(pending_deliveries)}</Link>
      </Figure>
      <Figure label="Call figures behind by" note="counted by maintenance">
        {figures_complete_until ? <Age of={figures_complete_until} /> : <Missing why="not counted yet" />}
      </Figure>
    </Figures>
  );
}
