import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword } from '../../api/me.ts';
import { Problem } from '../../api/problem.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../components/ui/button.tsx';
import { FormProblem, TextField } from '../../components/ui/field.tsx';
import { addToast } from '../../components/ui/toast-queue.ts';

/** Changes the own password. All other sessions end with it. */
export function PasswordForm({ userId, email }: { userId: string; email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const mutation = useMutation({
    mutationFn: () => changePassword(userId, { current_password: current, new_password: next }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      addToast('The password is changed. Other sessions have ended.');
      void queryClient.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const fields = mutation.error instanceof Problem ? mutation.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={setCurrent}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        value={next}
        onChange={setNext}
        hint="At least 8 characters"
        problem={fields.new_password}
      />
      <FormProblem error={mutation.error} />
      <Button type="submit" disabled={mutation.isPending || !current || !next}>
        Change the password
      </Button>
    </form>
  );
}
