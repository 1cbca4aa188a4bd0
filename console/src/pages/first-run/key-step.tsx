import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { revealKey } from '../../api/teams.ts';
import type { Team } from '../../api/types.ts';
import { FirstJob } from '../../components/first-job/first-job.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { FormProblem } from '../../components/ui/field.tsx';
import styles from './first-run.module.css';

const shownSeconds = 60;

/** The key of the team and a line that uses it. `created`: the key of a team that this page has made, which is shown until it is left. */
export function KeyStep({ team, created }: { team: Team; created: string | undefined }) {
  const [revealed, setRevealed] = useState<string>();
  const mutation = useMutation({
    mutationFn: () => revealKey(team.team_id),
    gcTime: 0,
    onSuccess: ({ virtual_key }) => setRevealed(virtual_key),
  });
  useEffect(() => {
    if (revealed === undefined) return;
    const timer = setTimeout(() => setRevealed(undefined), shownSeconds * 1_000);
    return () => clearTimeout(timer);
  }, [revealed]);
  const key = created ?? revealed;
  return (
    <div className={styles.key}>
      {key === undefined ? (
        <>
          <p>Whoever has the key can spend the credits of the team. The audit log records that you have seen it.</p>
          <FormProblem error={mutation.error} />
          <p>
            <Button look="primary" disabled={mutation.isPending} onClick={() => mutation.mutate()}>
              Show the key for {shownSeconds} s
            </Button>
          </p>
        </>
      ) : (
        <>
          <p>
            {created === undefined
              ? `The key of ${team.team_id}, for ${shownSeconds} s:`
              : 'Store the key now: this page shows it only once.'}
          </p>
          <CopyBlock text={key} label="Copy the key" />
        </>
      )}
      <div data-line>
        <FirstJob of={team} virtualKey={key} />
      </div>
    </div>
  );
}
