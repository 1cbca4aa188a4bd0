import { Link } from '@tanstack/react-router';
import type { Live } from '../../api/types.ts';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { Duration } from '../../components/ui/time.tsx';
import { formatNumber } from '../../format/number.ts';
import { openJobs } from './open-jobs.ts';

const secondMs = 1_000;

export function LiveFigures({ live }: { live: Live }) {
  const { open_jobs, running_calls, queued_calls, oldest_queued_seconds, tokens_per_second, calls_per_minute } = live;
  return (
    <Figures>
      <Figure label="Open jobs">
        <Link to="/jobs" search={openJobs()}>
          {formatNumber(open_jobs)}
        </Link>
      </Figure>
      <Figure label="Running calls">{formatNumber(running_calls)}</Figure>
      <Figure label="Waiting calls" note="for a worker">
        {formatNumber(queued_calls)}
      </Figure>
      <Figure label="Longest wait">
        {oldest_queued_seconds === null ? 'none' : <Duration ms={oldest_queued_seconds * secondMs} />}
      </Figure>
      <Figure label="Tokens per second" note="in the last minute">
        {formatNumber(tokens_per_second)}
      </Figure>
      <Figure label="Calls" note="recorded in the last minute">
        {formatNumber(calls_per_minute)}
      </Figure>
    </Figures>
  );
}
