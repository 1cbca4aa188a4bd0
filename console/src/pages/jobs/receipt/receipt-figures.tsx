import { useSeesCost } from '../../../api/session.ts';
import type { JobTimeline } from '../../../api/types.ts';
import { Count } from '../../../components/ui/count.tsx';
import { Figure, Figures } from '../../../components/ui/figure.tsx';
import { Money } from '../../../components/ui/money.tsx';
import { Duration } from '../../../components/ui/time.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';

const failedNote = (failed: number, superseded = 0): string =>
  failed === 0 ? 'none failed' : `${failed} failed${superseded > 0 ? `, ${superseded} superseded` : ''}`;

/** The four figures of a receipt: credits, cost (or tokens for who does not see costs), calls and time. */
export function ReceiptFigures({ timeline: { job, verdict, calls_total } }: { timeline: JobTimeline }) {
  const { refunded, price_credits, superseded_calls } = verdict.inputs;
  const isOpen = job.completed_at === null;
  const seesCost = useSeesCost();
  return (
    <Figures>
      <Figure
        label={isOpen ? 'Credits so far' : 'Credits charged'}
        note={
          refunded
            ? `${formatCount(refunded.credits, 'credit')} given back`
            : isOpen
              ? 'decided when the job ends'
              : superseded_calls !== undefined
                ? `a price of ${formatCount(price_credits, 'credit')}`
                : undefined
        }
      >
        {formatNumber(verdict.credits)}
      </Figure>
      {seesCost ? (
        <Figure label="Provider cost" note={`${formatNumber(job.total_tokens)} tokens`}>
          <Money usd={job.total_cost_usd} />
        </Figure>
      ) : (
        <Figure label="Tokens" note="of prompts and answers">
          <Count of={job.total_tokens} />
        </Figure>
      )}
      <Figure label="Calls" note={failedNote(job.failed_calls, superseded_calls)}>
        <Count of={calls_total} />
      </Figure>
      <Figure label="Duration" note={isOpen ? 'still open' : undefined}>
        <Duration ms={job.duration_ms} />
      </Figure>
    </Figures>
  );
}
