import { useState } from 'react';
import { adjustCredits, allocateCredits } from '../../../api/teams.ts';
import type { TeamWithKey } from '../../../api/types.ts';
import { TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';

interface CreditDialogProps {
  team: TeamWithKey;
  onClose: () => void;
}

const wholeNumber = /^-?\d{1,13}$/;
const parseAmount = (text: string): number | undefined => (wholeNumber.test(text.trim()) ? Number(text) : undefined);

/** The balance before and after. */
const toEffects = ({ credits }: TeamWithKey, amount: number | undefined) => [
  {
    what: 'Credits left',
    before: formatNumber(credits.credits_remaining),
    after: amount === undefined ? '…' : formatNumber(credits.credits_remaining + amount),
  },
  {
    what: 'Total allocated',
    before: formatNumber(credits.credits_allocated),
    after: amount === undefined ? '…' : formatNumber(credits.credits_allocated + amount),
  },
];

export function AllocateDialog({ team, onClose }: CreditDialogProps) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const amount = parseAmount(text);
  const isComplete = amount !== undefined && amount > 0;
  return (
    <FormDialog
      title={`Allocate credits to ${team.team_id}`}
      action={isComplete ? `Allocate ${formatCount(amount, 'credit')}` : 'Allocate'}
      isComplete={isComplete}
      effects={toEffects(team, isComplete ? amount : undefined)}
      run={(key) =>
        allocateCredits(team.team_id, { credits_amount: amount ?? 0, reason: reason.trim() || undefined }, key)
      }
      done={`Allocated ${formatCount(amount ?? 0, 'credit')} to ${team.team_id}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Credits to add"
            inputMode="numeric"
            required
            value={text}
            onChange={setText}
            hint="A whole number, 1 or more"
            problem={problems.credits_amount}
          />
          <TextField
            label="Reason (shown in the ledger)"
            maxLength={500}
            value={reason}
            onChange={setReason}
            problem={problems.reason}
          />
        </>
      )}
    </FormDialog>
  );
}

export function AdjustDialog({ team, onClose }: CreditDialogProps) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const amount = parseAmount(text);
  const isComplete = amount !== undefined && amount !== 0 && reason.trim() !== '';
  const { credits_remaining, credit_limit } = team.credits;
  const isBelowZero = amount !== undefined && credit_limit !== null && credits_remaining + amount < 0;
  return (
    <FormDialog
      title={`Adjust the credits of ${team.team_id}`}
      action={amount === undefined ? 'Adjust' : `Adjust by ${amount > 0 ? '+' : ''}${formatNumber(amount)}`}
      isComplete={isComplete && !isBelowZero}
      effects={toEffects(team, amount)}
      run={(key) => adjustCredits(team.team_id, { credits_amount: amount ?? 0, reason: reason.trim() }, key)}
      done={`Adjusted the credits of ${team.team_id}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Credits to add or take away"
            required
            value={text}
            onChange={setText}
            hint="A whole number: −25 takes 25 away, written -25"
            problem={
              problems.credits_amount ?? (isBelowZero ? 'The balance of a fixed budget cannot fall below 0' : undefined)
            }
          />
          <TextField
            label="Reason (shown in the ledger)"
            required
            maxLength={500}
            value={reason}
            onChange={setReason}
            problem={problems.reason}
          />
        </>
      )}
    </FormDialog>
  );
}
