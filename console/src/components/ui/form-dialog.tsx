import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import type { EffectLine } from './effect-line.ts';
import { Effects } from './effects.tsx';
import { FormProblem } from './field.tsx';
import { addToast } from './toast-queue.ts';
import { useRefreshAll } from './use-refresh-all.ts';

interface FormDialogProps<Answer> {
  title: string;
  /** The fields, given the problem that the service found in each. */
  children: (problems: Readonly<Record<string, string>>) => ReactNode;
  /** What changes, before and after. */
  effects?: EffectLine[];
  /** The word on the button: what it does. */
  action: string;
  isDangerous?: boolean;
  isWide?: boolean;
  isComplete?: boolean;
  run: (idempotencyKey: string) => Promise<Answer>;
  /** The sentence about what was done. Absent where another dialog follows that shows it. */
  done?: string;
  onClose: () => void;
  /** False where another dialog follows in the place of the form. */
  closesWhenDone?: boolean;
  onDone?: (answer: Answer) => void;
}

/** A form in a dialog. What the page shows is read again when it is done. */
export function FormDialog<Answer>(props: FormDialogProps<Answer>) {
  const { title, children, effects, action, isDangerous, isWide, isComplete = true, run, done } = props;
  const { onClose, closesWhenDone = true, onDone } = props;
  const refresh = useRefreshAll();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const mutation = useMutation({
    mutationFn: () => run(idempotencyKey),
    onSuccess: (answer) => {
      if (done) addToast(done);
      refresh();
      if (closesWhenDone) onClose();
      onDone?.(answer);
    },
    // Another body is another request, which needs another key.
    onError: (error) => {
      if (error instanceof Problem && error.status >= 400 && error.status < 500) setIdempotencyKey(crypto.randomUUID());
    },
  });
  const problems = mutation.error instanceof Problem ? mutation.error.fields : {};
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) mutation.mutate();
        }}
      >
        {children(problems)}
        {effects && <Effects lines={effects} />}
        <FormProblem error={mutation.error} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look={isDangerous ? 'danger' : 'primary'} disabled={mutation.isPending || !isComplete}>
            {mutation.isPending ? 'Working …' : action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
