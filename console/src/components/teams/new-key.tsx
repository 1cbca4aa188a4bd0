import { Link } from '@tanstack/react-router';
import { FirstJob } from '../first-job/first-job.tsx';
import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

interface NewKeyProps {
  title: string;
  team: { team_id: string; model_groups: readonly string[] };
  virtualKey: string;
  onClose: () => void;
  children?: React.ReactNode;
}

/** A key that was just made. It is forgotten when the dialog closes. */
export const NewKey = ({ title, team, virtualKey, onClose, children }: NewKeyProps) => (
  <Dialog title={title} onClose={onClose} isForced isWide>
    {children}
    <p>This is its key. Store it now: this page shows it only once.</p>
    <CopyBlock text={virtualKey} label="Copy the key" />
    <FirstJob of={team} virtualKey={virtualKey} />
    <DialogActions>
      <Link to="/teams/$teamId" params={{ teamId: team.team_id }} onClick={onClose}>
        Open the team
      </Link>
      <Button look="primary" onClick={onClose}>
        I have stored the key
      </Button>
    </DialogActions>
  </Dialog>
);
