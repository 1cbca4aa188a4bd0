import { useMutation } from '@tanstack/react-query';
import { openView } from '../../api/team-views.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { Button } from '../../components/ui/button.tsx';
import { FormProblem } from '../../components/ui/field.tsx';
import { leaveView } from './leave-view.ts';

/** In place of a view that was not opened in this session, or has ended. */
export function ViewGate({ teamId }: { teamId: string }) {
  const mutation = useMutation({
    mutationFn: () => openView(teamId),
    onSuccess: () => window.location.reload(),
  });
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <div className={styles.steps}>
          <h1>View of the team {teamId}</h1>
          <p>It lasts an hour, and is not open in this session. The audit log records that you open it.</p>
          <FormProblem error={mutation.error} />
          <Button look="primary" disabled={mutation.isPending} onClick={() => mutation.mutate()}>
            View as this team
          </Button>
          <Button onClick={() => leaveView(teamId)}>Back to the own console</Button>
        </div>
      </div>
    </main>
  );
}
