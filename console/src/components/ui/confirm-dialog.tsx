import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import type { EffectLine } from './effect-line.ts';
import { Effects } from './effects.tsx';
import { FormProblem, TextArea } from './field.tsx';
import { addToast } from './toast-queue.ts';

export interface ConfirmDialogProps<Answer> {
  title: string;
  /** What it is about, in a sentence. */
  children?: ReactNode;
  /** What changes, before and after. */
  effects?: EffectLine[];
  /** The word on the button: what it does. */
  action: string;
  isDangerous?: boolean;
  /** The label of a reason that the person may give. */
  reasonLabel?: string;
  /** The key is the same as long as the dialog is open, so that a repeated request has no second effect. */
  run: (reason: string | undefined, idempotencyKey: string) => Promise<Answer>;
  /** What was done. */
  done: string | ((answer: Answer) => string);
  onClose: () => void;
  onDone?: () => void;
}

/** Asks before something that cannot be undone, and shows its effect first. */
export function ConfirmDialog<Answer>(props: ConfirmDialogProps<Answer>) {
  const { title, children, effects, action, isDangerous = false, reasonLabel, run, done, onClose, onDone } = props;
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const mutation = useMutation({
    mutationFn: () => run(reason.trim() || undefined, idempotencyKey),
    onSuccess: (answer) => {
      addToast(typeof done === 'string' ? done : done(answer));
      onDone?.();
      onClose();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        {children}
        {effects && <Effects lines={effects} />}
        {reasonLabel && <TextArea label={reasonLabel} value={reason} onChange={setReason} maxLength={500} rows={2} />}
        <FormProblem error={mutation.error} />
        <DialogActions>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button type="submit" look={isDangerous ? 'danger' : 'primary'} disabled={mutation.isPending}>
            {mutation.isPending ? 'Working …' : action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
