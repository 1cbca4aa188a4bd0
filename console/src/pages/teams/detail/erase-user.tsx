import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eraseUser } from '../../../api/erasure.ts';
import { countJobs } from '../../../api/jobs.ts';
import type { ErasedUser, TeamWithKey } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog, DialogActions } from '../../../components/ui/dialog.tsx';
import { Facts } from '../../../components/ui/facts.tsx';
import { TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';
import styles from './team.module.css';

interface EraseUserProps {
  team: TeamWithKey;
  onClose: () => void;
}

const open = ['pending', 'in_progress'];

/** How many jobs of the team the user has, and how many of them are open. */
async function countJobsOf(team_id: string, user_id: string): Promise<{ ended: number; open: number }> {
  const [all, stillOpen] = await Promise.all([
    countJobs({ team_id, user_id }),
    countJobs({ team_id, user_id, status: open }),
  ]);
  return { ended: all - stillOpen, open: stillOpen };
}

/** Removes what belongs to a user of the client from the jobs of the team. The id is entered twice: nothing of it can be restored. */
export function EraseUser({ team: { team_id }, onClose }: EraseUserProps) {
  const [userId, setUserId] = useState('');
  const [repeated, setRepeated] = useState('');
  const [erased, setErased] = useState<ErasedUser>();
  const isSame = userId !== '' && repeated === userId;
  const count = useQuery({
    queryKey: ['team', team_id, 'jobs-of-user', userId],
    queryFn: () => countJobsOf(team_id, userId),
    enabled: isSame && !erased,
    gcTime: 0,
  });
  if (erased) return <Erased {...erased} onClose={onClose} />;
  const { ended, open: stillOpen } = count.data ?? {};
  return (
    <FormDialog
      title={`Erase a user of ${team_id}`}
      action="Erase the user"
      isDangerous
      isComplete={isSame}
      effects={[
        { what: 'Ended jobs of this user', before: shown(ended), after: shown(ended && 0) },
        { what: 'Open jobs of this user', before: shown(stillOpen), after: shown(stillOpen) },
      ]}
      run={() => eraseUser(team_id, userId)}
      done="Erased the user"
      closesWhenDone={false}
      onDone={setErased}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <div className={styles.erasure}>
            <Facts
              facts={[
                [
                  'Goes',
                  'of ended jobs: requests, responses, webhook deliveries, user, external id, metadata, error texts, the reason of a cancellation, purposes of calls',
                ],
                ['Stays', 'sums, the ledger with its reasons, the audit log, and jobs that are still open'],
                ['Afterwards', 'nothing of it can be restored'],
              ]}
            />
          </div>
          <TextField
            label="Id of the user"
            hint="As it was given with the jobs"
            problem={problems.user_id}
            value={userId}
            onChange={setUserId}
            maxLength={255}
            spellCheck={false}
            autoComplete="off"
          />
          <TextField
            label="The id once more"
            hint="To confirm"
            problem={repeated !== '' && !userId.startsWith(repeated) ? 'This is another id' : undefined}
            value={repeated}
            onChange={setRepeated}
            maxLength={255}
            spellCheck={false}
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}

const shown = (count: number | undefined): string => (count === undefined ? '…' : formatNumber(count));

/** What was erased, in numbers, until a person closes it: what is still open has to be erased later. */
const Erased = ({ jobs, payloads, open_jobs, onClose }: ErasedUser & { onClose: () => void }) => (
  <Dialog title="The user is erased" onClose={onClose}>
    <Facts
      facts={[
        ['Jobs without the user now', formatNumber(jobs)],
        ['Calls whose texts were deleted', formatNumber(payloads)],
        ['Jobs still open, unchanged', formatNumber(open_jobs)],
      ]}
    />
    <p className={styles.erasureEnd}>
      {open_jobs > 0 && `Erase the user again when ${formatCount(open_jobs, 'job has', 'jobs have')} ended.`}
      {jobs + open_jobs === 0 && 'No job of this team has this user.'}
    </p>
    <DialogActions>
      <Button onClick={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
);
