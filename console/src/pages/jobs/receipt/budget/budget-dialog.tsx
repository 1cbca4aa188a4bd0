import { useState } from 'react';
import { request } from '../../../../api/request.ts';
import { TextField } from '../../../../components/ui/field.tsx';
import { FormDialog } from '../../../../components/ui/form-dialog.tsx';
import type { Budget } from './budget.ts';

const fields = [
  ['max_cost_usd', 'USD', 'What its calls may cost at the providers'],
  ['max_tokens', 'Tokens', 'Of all prompts and completions'],
  ['max_calls', 'Calls', 'Failed ones count'],
  ['deadline_seconds', 'Seconds until the deadline', 'Counted from now, if it is changed'],
] as const;

const shown = (figure: number | null): string => (figure === null ? '' : String(figure));

/** Changes the caps of a job. An empty field is no cap; only what differs is sent. */
export function BudgetDialog({ jobId, budget, onClose }: { jobId: string; budget: Budget; onClose: () => void }) {
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(([name]) => [name, shown(budget[name])])));
  const changed = fields.filter(([name]) => values[name]!.trim() !== shown(budget[name]));
  const body = Object.fromEntries(
    changed.map(([name]) => [name, values[name]!.trim() === '' ? null : Number(values[name])]),
  );
  return (
    <FormDialog
      title="Change the budget of this job"
      action="Change the budget"
      isComplete={changed.length > 0}
      run={() => request('PATCH', `/api/jobs/${encodeURIComponent(jobId)}/budget`, { body })}
      done="The budget is changed"
      onClose={onClose}
    >
      {(problems) =>
        fields.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={`${hint}. Empty: no cap`}
            problem={problems[name]}
            inputMode="decimal"
            value={values[name]}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        ))
      }
    </FormDialog>
  );
}
