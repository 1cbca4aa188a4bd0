import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { Button } from '../../components/ui/button.tsx';
import { FormProblem } from '../../components/ui/field.tsx';
import { useRefreshAll } from '../../components/ui/use-refresh-all.ts';

interface StepFormProps<Answer> {
  /** The fields, given the problem that the service found in each. */
  children: (problems: Readonly<Record<string, string>>) => ReactNode;
  /** The word on the button: what it does. */
  action: string;
  isComplete: boolean;
  run: (idempotencyKey: string) => Promise<Answer>;
  onDone?: (answer: Answer) => void;
}

/** The form of a step, which Enter sends as it is. Its answer, which may have a key, is not kept. */
export function StepForm<Answer>({ children, action, isComplete, run, onDone }: StepFormProps<Answer>) {
  const refresh = useRefreshAll();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const mutation = useMutation({
    mutationFn: () => run(idempotencyKey),
    gcTime: 0,
    onSuccess: (answer) => {
      onDone?.(answer);
      refresh();
    },
    // Another body is another request, which needs another key.
    onError: (error) => {
      if (error instanceof Problem && error.status >= 400 && error.status < 500) setIdempotencyKey(crypto.randomUUID());
    },
  });
  const problems = mutation.error instanceof Problem ? mutation.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !mutation.isPending) mutation.mutate();
      }}
    >
      {children(problems)}
      <FormProblem error={mutation.error} />
      <Button type="submit" look="primary" autoFocus disabled={!isComplete}>
        {mutation.isPending ? 'Working …' : action}
      </Button>
    </form>
  );
}
