import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { revealKey } from '../../../api/teams.ts';
import { Button } from '../../../components/ui/button.tsx';
import { CopyBlock } from '../../../components/ui/copy-block.tsx';
import { Dialog, DialogActions } from '../../../components/ui/dialog.tsx';
import { FormProblem } from '../../../components/ui/field.tsx';

const shownSeconds = 60;

/** The whole key, for a minute. It is in the memory of this dialog and nowhere else. */
export function RevealKey({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const [key, setKey] = useState<string>();
  const [left, setLeft] = useState(shownSeconds);
  const mutation = useMutation({
    mutationFn: () => revealKey(teamId),
    gcTime: 0,
    onSuccess: ({ virtual_key }) => setKey(virtual_key),
  });
  const isShown = key !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const until = Date.now() + shownSeconds * 1_000;
    const timer = setInterval(() => {
      const rest = Math.ceil((until - Date.now()) / 1_000);
      setLeft(rest);
      if (rest <= 0) onClose();
    }, 1_000);
    return () => clearInterval(timer);
  }, [isShown, onClose]);
  return (
    <Dialog title={`Key of ${teamId}`} onClose={onClose}>
      {isShown ? (
        <>
          <CopyBlock text={key} label="Copy the key" />
          <p className="muted">Hidden again in {left} s.</p>
        </>
      ) : (
        <p>Whoever has this key can spend the credits of the team. The audit log records that you have seen it.</p>
      )}
      <FormProblem error={mutation.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {!isShown && (
          <Button look="primary" disabled={mutation.isPending} onClick={() => mutation.mutate()}>
            Show the key for {shownSeconds} s
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
