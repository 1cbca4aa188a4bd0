import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { setPrice } from '../../api/prices.ts';
import type { Price } from '../../api/types.ts';
import { marginsQuery } from '../../api/usage.ts';
import { policyLabels } from '../../components/teams/billing-policies.ts';
import { TextArea, TextField } from '../../components/ui/field.tsx';
import { FormDialog } from '../../components/ui/form-dialog.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { parseMetadata } from '../../format/metadata.ts';
import { parseNumber } from '../../format/number-input.ts';
import { priceEffects, toDraft } from './price-effects.ts';

interface PriceDialogProps {
  /** Undefined: the row is for all teams. */
  team: string | undefined;
  /** Undefined: a new row. */
  price: Price | undefined;
  onClose: () => void;
}

const policies = [
  { value: '', label: 'Not set here' },
  ...Object.entries(policyLabels).map(([value, label]) => ({ value, label })),
];

/** The price of a job type, with what it changes before it is saved. */
export function PriceDialog({ team, price, onClose }: PriceDialogProps) {
  const [jobType, setJobType] = useState(price?.job_type ?? '');
  const before = toDraft(price);
  const [draft, setDraft] = useState(before);
  const margins = useQuery(marginsQuery({ range: '30d' }, { group_by: 'job_type', team_id: team }));
  const charged = margins.data?.rows.find(({ key }) => key === jobType);
  const effects = priceEffects(before, draft, charged);
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const body = {
    credits: parseNumber(draft.credits),
    billing_policy: draft.policy || null,
    budget: draft.budget.trim() === '' ? null : parseMetadata(draft.budget),
  };
  return (
    <FormDialog
      title={price ? `Price of ${price.job_type}` : 'New price'}
      action="Save the price"
      isComplete={jobType !== ''}
      effects={effects.length > 0 ? effects : undefined}
      run={() => setPrice(team, jobType, body)}
      done={`Set the price of ${jobType}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          {!price && (
            <TextField
              label="Job type"
              required
              maxLength={255}
              spellCheck={false}
              value={jobType}
              onChange={setJobType}
              problem={problems.job_type}
            />
          )}
          <TextField
            label="Credits"
            inputMode="numeric"
            maxLength={7}
            value={draft.credits}
            onChange={(credits) => change({ credits })}
            hint="What a job costs where the team is billed by job. 0: free. Empty: as the next row says, or else 1"
            problem={problems.credits}
          />
          <SelectField
            label="A job is charged if"
            value={draft.policy}
            options={policies}
            onChange={(policy) => change({ policy })}
            problem={problems.billing_policy}
          />
          <TextArea
            label="Budget"
            rows={2}
            spellCheck={false}
            maxLength={1_000}
            value={draft.budget}
            onChange={(budget) => change({ budget })}
            hint='JSON, such as {"max_cost_usd": 0.5, "deadline_seconds": 600}. Empty: as the next row or the team says'
            problem={problems.budget}
          />
          <p className="muted">It holds for jobs that are created from now on.</p>
        </>
      )}
    </FormDialog>
  );
}
