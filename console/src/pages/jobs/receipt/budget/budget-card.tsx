import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isOpen } from '../../../../api/jobs.ts';
import type { JobTimeline } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { Figure, Figures } from '../../../../components/ui/figure.tsx';
import { Money } from '../../../../components/ui/money.tsx';
import { Permission } from '../../../../components/ui/permission.tsx';
import { Time } from '../../../../components/ui/time.tsx';
import { formatNumber } from '../../../../format/number.ts';
import type { Budget } from './budget.ts';
import { BudgetDialog } from './budget-dialog.tsx';

const caps = [
  { cap: 'max_cost_usd', unit: 'cost_usd', label: 'USD left', show: (usd: number) => <Money usd={usd} /> },
  { cap: 'max_tokens', unit: 'tokens', label: 'Tokens left', show: formatNumber },
  { cap: 'max_calls', unit: 'calls', label: 'Calls left', show: formatNumber },
] as const satisfies readonly { show: (figure: number) => ReactNode; [field: string]: unknown }[];

interface BudgetCardProps {
  timeline: JobTimeline;
  budget: Budget;
}

/** What remains of each cap of the job, and what is spent and held. An admin may change the caps. */
export function BudgetCard({ timeline: { job }, budget }: BudgetCardProps) {
  const [isChanging, setChanging] = useState(false);
  const { spent, held, remaining, reached, deadline_at } = budget;
  return (
    <section aria-label="Budget">
      <Figures>
        {caps.map(
          ({ cap, unit, label, show }) =>
            budget[cap] !== null && (
              <Figure
                key={cap}
                label={label}
                note={
                  <>
                    of {show(budget[cap])}: {show(spent[unit])} spent, {show(held[unit])} held
                    {reached.includes(cap) && ', reached'}
                  </>
                }
              >
                {show(remaining[unit] ?? 0)}
              </Figure>
            ),
        )}
        {deadline_at && (
          <Figure label="Deadline" note={`${budget.deadline_grace_seconds} s for calls under way`}>
            <Time at={deadline_at} />
          </Figure>
        )}
      </Figures>
      <Permission needs="jobs:budget">
        <Button
          icon={SlidersHorizontal}
          unavailable={!isOpen(job) && `The job is ${job.status}`}
          onClick={() => setChanging(true)}
        >
          Change the budget
        </Button>
      </Permission>
      {isChanging && <BudgetDialog jobId={job.job_id} budget={budget} onClose={() => setChanging(false)} />}
    </section>
  );
}
