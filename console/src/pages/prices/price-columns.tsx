import { Pencil, Trash2 } from 'lucide-react';
import type { Price } from '../../api/types.ts';
import { policyLabels } from '../../components/teams/billing-policies.ts';
import { Button } from '../../components/ui/button.tsx';
import { Count } from '../../components/ui/count.tsx';
import { Missing } from '../../components/ui/money.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { Time } from '../../components/ui/time.tsx';
import { budgetText } from '../../format/budget.ts';

const next = 'as the next row or the team says';

interface Actions {
  mayEdit: boolean;
  /** Whether the rows are those of a team, which may have a row of its own or that of all teams. */
  isOfTeam: boolean;
  onEdit: (price: Price) => void;
  onDelete: (price: Price) => void;
}

export const priceColumns = ({ mayEdit, isOfTeam, onEdit, onDelete }: Actions): Column<Price>[] => [
  { id: 'type', header: 'Job type', cell: ({ job_type }) => <span className="mono">{job_type}</span> },
  {
    id: 'credits',
    header: 'Credits',
    align: 'end',
    cell: ({ credits }) => (credits === null ? <Missing why={next} /> : <Count of={credits} />),
  },
  {
    id: 'policy',
    header: 'Charged',
    from: 720,
    cell: ({ billing_policy }) => (billing_policy ? policyLabels[billing_policy] : <Missing why={next} />),
  },
  {
    id: 'budget',
    header: 'Budget',
    from: 1024,
    cell: ({ budget }) => (budget ? budgetText(budget) : <Missing why={next} />),
  },
  { id: 'updated', header: 'Changed', from: 1024, cell: ({ updated_at }) => <Time at={updated_at} /> },
  ...(isOfTeam
    ? [{ id: 'scope', header: 'Row of', cell: ({ scope }: Price) => (scope === 'team' ? 'the team' : 'all teams') }]
    : []),
  ...(mayEdit
    ? [
        {
          id: 'actions',
          header: 'Actions',
          cell: (price: Price) => (
            <>
              <Button look="quiet" icon={Pencil} aria-label={`Edit ${price.job_type}`} onClick={() => onEdit(price)} />
              {(!isOfTeam || price.scope === 'team') && (
                <Button
                  look="quiet"
                  icon={Trash2}
                  aria-label={`Delete ${price.job_type}`}
                  onClick={() => onDelete(price)}
                />
              )}
            </>
          ),
        },
      ]
    : []),
];
